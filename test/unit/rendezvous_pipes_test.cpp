// Processes that find each other by the pipes of their launcher, here threads.
#include <doctest/doctest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "core/mesh/rendezvous_pipes.hpp"
#include "tools/cli/command.hpp"
#include "tools/launch/launched_process.hpp"

namespace rhizome::rendezvous_pipes_test {

using namespace std::chrono_literals;
using core::LaunchedRendezvous;
using core::LauncherRendezvous;
using core::Pipe;
using core::Unreachable;

namespace {

// A pipe from the launcher to one process.
class Line {
 public:
  Line() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) == 0); }
  ~Line() {
    close(ends_[0]);
    hang_up();
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  [[nodiscard]] Pipe launcher() const { return {ends_[0], ends_[0]}; }
  [[nodiscard]] Pipe launched() const { return {ends_[1], ends_[1]}; }
  void hang_up() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  void say(const std::string& text) const {
    REQUIRE(write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

 private:
  std::array<int, 2> ends_{};
};

std::string refusal_of(LauncherRendezvous&& launcher) {
  try {
    static_cast<void>(launcher.gather("mine"));
  } catch (const Unreachable& missing) {
    return missing.what();
  }
  return "all came";
}

}  // namespace

TEST_CASE("every process gets the descriptors of all, by number, whatever is in them") {
  std::deque<Line> lines(3);
  const std::vector<std::string> descriptors{"of\n0", std::string(100'000, 'x'), "", "3"};
  std::vector<std::vector<std::string>> gathered(4);
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 1; rank < 4; ++rank)
    threads.emplace_back([&, rank] {
      LaunchedRendezvous rendezvous({rank, 4}, lines[rank - 1].launched(), 10s);
      gathered[rank] = rendezvous.gather(descriptors[rank]);
    });
  LauncherRendezvous launcher({lines[0].launcher(), lines[1].launcher(), lines[2].launcher()}, 10s);
  CHECK(launcher.rank() == 0);
  CHECK(launcher.size() == 4);
  gathered[0] = launcher.gather(descriptors[0]);
  for (std::thread& thread : threads) thread.join();
  for (const auto& each : gathered) CHECK(each == descriptors);
}

TEST_CASE("a process that has not written its descriptor is named") {
  std::deque<Line> lines(3);
  lines[0].hang_up();
  lines[1].say("3\nyou");
  CHECK(refusal_of({{lines[0].launcher(), lines[1].launcher(), lines[2].launcher()},
                    50ms,
                    {"", "h2", "h3", "h4"}}) ==
        "processes 1 on h2, 3 on h4 of 4 have not come within 0.05 s, and 0, 2 on h3 have");
}

TEST_CASE("a pipe that brings no descriptor is not waited for") {
  for (const std::string text : {"hello", "\n", "-1\n", "99999999\n", "9999999\n", "5\nabc"}) {
    CAPTURE(text);
    Line line;
    line.say(text);
    line.hang_up();
    CHECK(refusal_of({{line.launcher()}, 10s}) ==
          "process 1 of 2 has ended before it came, and 0 has");
  }
}

TEST_CASE("a process that does not read the descriptors is given up at the deadline") {
  const Line line;
  const timeval most{.tv_sec = 10, .tv_usec = 0};
  setsockopt(line.launcher().in, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  line.say("3\nyou");
  LauncherRendezvous launcher({line.launcher()}, 1s);
  const auto begun = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH_AS(static_cast<void>(launcher.gather(std::string(1U << 23U, 'x'))),
                       "process 1 went away", Unreachable);
  CHECK(std::chrono::steady_clock::now() - begun < 5s);
}

TEST_CASE("a launcher that has gone is said to have") {
  Line line;
  shutdown(line.launcher().in, SHUT_RDWR);
  LaunchedRendezvous rendezvous({1, 2}, line.launched(), 10s);
  CHECK_THROWS_WITH_AS(static_cast<void>(rendezvous.gather("mine")), "the launcher went away",
                       Unreachable);
}

TEST_CASE("what a launcher writes into the environment is read again, and nothing else is") {
  const auto with = [](const std::string& value) {
    setenv("RHIZOME_LAUNCHED", value.c_str(), 1);
    std::string read = "refused";
    try {
      const auto launched = tools::launched();
      read = launched ? tools::environment_of(*launched).front() : "nothing";
    } catch (const tools::UsageError&) {
    }
    unsetenv("RHIZOME_LAUNCHED");
    return read;
  };
  CHECK(with("2,3,5,6") == "RHIZOME_LAUNCHED=2,3,5,6");
  CHECK(with("") == "nothing");
  for (const std::string bad : {"0,2,5,6", "2,2,5,6", "1", "1,2,3", "1,2,3,4,5", "a,2,3,4",
                                "1,2,-3,4", "1,5000,3,4", "1,2,4294967295,4", "1,2,3,4294967295"})
    CHECK(with(bad) == "refused");
}

}  // namespace rhizome::rendezvous_pipes_test
