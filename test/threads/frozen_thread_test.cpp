// A thread that really stands still, held by another process as a debugger would.
#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>

#include "core/engine/thread_engine.hpp"
#include "scenarios/outcome/validity.hpp"
#include "test/support/engines.hpp"
#include "test/support/gossip.hpp"

namespace rhizome::frozen_thread_test {

using namespace std::chrono_literals;
using scenarios::Validity;

namespace {

// A process that freezes one thread of this one, once it is told which.
class Freezer {
 public:
  explicit Freezer(std::chrono::milliseconds duration) {
    REQUIRE(pipe(pipe_.data()) == 0);
    process_ = fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) freeze(duration);
    prctl(PR_SET_PTRACER, process_, 0, 0, 0);
  }
  void freeze_this_thread() {
    const pid_t thread = gettid();
    REQUIRE(write(pipe_[1], &thread, sizeof thread) == sizeof thread);
  }
  // False if the machine does not permit it.
  [[nodiscard]] bool has_frozen() const {
    int status = 0;
    waitpid(process_, &status, 0);
    for (const int end : pipe_) close(end);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  // Runs in the forked process, which may only call the system.
  [[noreturn]] void freeze(std::chrono::milliseconds duration) const {
    pid_t thread = 0;
    if (read(pipe_[0], &thread, sizeof thread) != sizeof thread) _exit(1);
    sleep_for(500ms);
    if (ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) _exit(2);
    if (ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0) _exit(3);
    if (waitpid(thread, nullptr, __WALL) != thread) _exit(4);
    sleep_for(duration);
    _exit(ptrace(PTRACE_DETACH, thread, nullptr, nullptr) == 0 ? 0 : 5);
  }
  static void sleep_for(std::chrono::milliseconds duration) {
    timespec left{.tv_sec = duration / 1s, .tv_nsec = (duration % 1s) / 1ns};
    while (nanosleep(&left, &left) != 0) {
    }
  }

  std::array<int, 2> pipe_{};
  pid_t process_ = 0;
};

}  // namespace

TEST_CASE("a run in which one thread of twenty was frozen is not valid") {
  for (const auto frozen : {250ms, 900ms}) {
    Freezer freezer(frozen);
    core::EngineSetup setup = test::setup_of(20, 3s, [&freezer](core::Peer& peer) {
      if (peer.id().value == 7) freezer.freeze_this_thread();
      peer.add<test::Gossip>(test::GossipOptions{.peers = 20});
    });
    setup.lag_tolerance = 20ms;
    const core::EngineReport report = core::ThreadEngine(setup, {}).run({});
    if (!freezer.has_frozen()) {
      MESSAGE("SKIPPED: this machine lets no process hold a thread of another");
      return;
    }
    core::Duration still{0};
    for (const core::Stall& stall : report.fidelity.stalls)
      if (stall.peer.value == 7) still += stall.until - stall.from;
    CHECK(still > frozen * 8 / 10);
    const Validity verdict = scenarios::judge_validity(report.fidelity, setup.lag_tolerance, 1,
                                                       report.ended.time_since_epoch());
    CAPTURE(verdict.reason);
    CHECK(verdict.level >= (frozen > 600ms ? Validity::Level::invalid : Validity::Level::suspect));
  }
}

}  // namespace rhizome::frozen_thread_test
