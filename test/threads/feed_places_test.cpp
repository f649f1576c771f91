// A run accepts a bounded number of monitors: a monitor that leaves, or is killed, makes room.
#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <thread>

#include "scenarios/live/feed.hpp"
#include "test/support/boards.hpp"
#include "test/support/stage.hpp"

namespace rhizome::feed_places_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using test::Monitor;

namespace {

// As many monitors as a run bears, and one more.
struct Crowd {
  explicit Crowd(std::chrono::milliseconds patience) : stage(patience) {
    stage.feed->watch({.number = 0, .peers = 2}, made.board());
    for (std::size_t i = 0; i < Feed::most_monitors; ++i)
      CHECK(monitors.emplace_back(stage).follow());
    late.emplace(stage);
  }
  ~Crowd() { stage.feed->unwatch(0); }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  bool is_refused() {
    late->say(Ask{});
    return late->hear<Refused>().reason.find("16") != std::string::npos;
  }
  // Asks until it has a place; in vain for a minute, it has none.
  bool is_let_in() {
    const auto until = std::chrono::steady_clock::now() + 1min;
    while (!late->is_shown()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(20ms);
    }
    return true;
  }

  test::Stage stage;
  test::HandmadeBoard made{2};
  std::deque<Monitor> monitors;
  std::optional<Monitor> late;
};

}  // namespace

TEST_CASE("a monitor that is killed while it waits leaves its place to another") {
  Crowd crowd(1h);
  CHECK(crowd.is_refused());
  Monitor& first = crowd.monitors.front();
  first.say(first.state().next({}, 1000, false));
  crowd.monitors.pop_front();
  CHECK(crowd.is_let_in());
}

TEST_CASE("a monitor that is killed before it asks again leaves its place to another") {
  Crowd crowd(1h);
  CHECK(crowd.is_refused());
  crowd.monitors.pop_front();
  CHECK(crowd.is_let_in());
}

TEST_CASE("a monitor that is there and asks nothing loses its place once patience is over") {
  Crowd crowd(1ms);
  CHECK(crowd.is_let_in());
}

}  // namespace rhizome::feed_places_test
