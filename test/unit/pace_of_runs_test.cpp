// How an operator may change the pace of a run in virtual time.
#include "core/engine/pace.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/board.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/peer/latency.hpp"
#include "test/support/gossip.hpp"

namespace rhizome::pace_of_runs_test {

using namespace std::chrono_literals;
using core::Pace;
using core::Time;

namespace {

constexpr std::uint32_t peers = 8;

// Tokens that wander for a second, a step a millisecond.
class Run {
 public:
  explicit Run(bool held) : pace_(held) {
    links_.add<core::ConstantLatency>(1ms);
    thread_ = std::thread([this] { report_ = engine().run(observer()); });
  }
  ~Run() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] Pace& pace() { return pace_; }
  // Once it is held: how many events it has come to, and when.
  [[nodiscard]] std::pair<std::uint64_t, Time> held() {
    while (!pace_.held() || board_ == nullptr) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(60ms);  // for the step that it was about
    std::uint64_t events = 0;
    const core::Board& board = *board_.load();
    for (std::uint32_t i = 0; i < peers; ++i) events += board.vitals({i}).events.get();
    return {events, board.now()};
  }
  [[nodiscard]] const core::EngineReport& whole() {
    thread_.join();
    return report_;
  }

 private:
  core::VirtualEngine engine() {
    core::EngineSetup setup;
    setup.peers = peers;
    setup.links = &links_;
    setup.limit = 1s;
    setup.make_peer = [](core::PeerId id, core::Incarnation life) {
      auto peer = std::make_unique<core::Peer>(id, life, 1);
      peer->add<test::Gossip>(test::GossipOptions{.peers = peers});
      return peer;
    };
    return core::VirtualEngine(std::move(setup));
  }
  core::Observer observer() {
    return {.stop = &stop_,
            .watch = [this](const core::Board& board) { board_ = &board; },
            .pace = &pace_};
  }

  core::LinkChain links_;
  Pace pace_;
  std::atomic<bool> stop_{false};
  std::atomic<const core::Board*> board_{nullptr};
  core::EngineReport report_;
  std::thread thread_;
};

std::vector<std::uint64_t> received(const core::EngineReport& report) {
  std::vector<std::uint64_t> counts;
  for (const core::Recorder& recorder : report.recorders)
    counts.push_back(recorder.received_count());
  return counts;
}

}  // namespace

TEST_CASE("the time for which a run is held is counted apart from the time in which it goes on") {
  const auto pass = [](Pace::Clock::duration time) {
    for (const auto end = Pace::Clock::now() + time; Pace::Clock::now() < end;) continue;
  };
  Pace pace(true);
  pass(2ms);
  CHECK(pace.held_for(Pace::Clock::now()) >= 2ms);
  pace.go();
  const auto held = pace.held_for(Pace::Clock::now());
  CHECK(held >= 2ms);
  pass(1ms);
  CHECK(pace.held_for(Pace::Clock::now()) == held);
  pace.hold();
  pass(1ms);
  CHECK(pace.held_for(Pace::Clock::now()) >= held + 1ms);
  pace.step(1);
  pace.taken(1);
  const auto before = pace.held_for(Pace::Clock::now());
  CHECK(before >= held + 1ms);
  CHECK(pace.leave(Time{}, Time{}).steps == 0);  // held again after its step
  CHECK(pace.held_for(Pace::Clock::now()) > before);
}

TEST_CASE("a run that is held from its beginning handles nothing until it is let go") {
  Run run(true);
  std::this_thread::sleep_for(50ms);
  CHECK(run.held().first == 0);
  run.pace().go();
  CHECK(run.whole().events > 1000);
}

TEST_CASE("single steps are as many events as were asked for") {
  Run run(true);
  std::this_thread::sleep_for(50ms);
  run.pace().step(1);
  CHECK(run.held().first == 1);
  run.pace().step(5);
  CHECK(run.held().first == 6);
}

TEST_CASE("a run that goes on until a time is held before the events due after it") {
  Run run(true);
  run.pace().go_until(Time{} + 10ms);
  const auto [events, now] = run.held();
  CHECK(now == Time{} + 10ms);
  CHECK(events == 10 * peers / 2);  // half of the peers begin a token
}

TEST_CASE("a speed slows a run down to so many emulated seconds a real one") {
  Run run(true);
  run.pace().set_speed(4);
  const auto began = std::chrono::steady_clock::now();
  run.pace().go();
  CHECK(run.whole().ended == Time{} + 1s);
  CHECK(std::chrono::steady_clock::now() - began >= 240ms);
}

TEST_CASE("a run that was held, stepped and slowed is the same as one that was left alone") {
  Run alone(false);
  const std::vector<std::uint64_t> as_it_is = received(alone.whole());
  Run run(true);
  run.pace().step(17);
  static_cast<void>(run.held());
  run.pace().go_until(Time{} + 300ms);
  static_cast<void>(run.held());
  run.pace().set_speed(20);
  run.pace().go();
  CHECK(received(run.whole()) == as_it_is);
}

TEST_CASE("a run that is held can be ended") {
  Run run(true);
  std::this_thread::sleep_for(20ms);
  CHECK(run.pace().held());
}

}  // namespace rhizome::pace_of_runs_test
