// When a peer under vector scheduling does what it does at its ticks.
#include <doctest/doctest.h>

#include "test/support/lone_vector.hpp"

namespace rhizome::vector_ticks_test {

using namespace std::chrono_literals;
using namespace test::lone_vector;

TEST_CASE("an exchange comes every so many ticks") {
  Lone lone(worker, with([](Options& o) { o.exchange_ticks = 3, o.requests = Requests::never; }));
  lone.pass(12500ms);
  CHECK(lone.count<Info>() == 3 * 4);
}

TEST_CASE("if tasks start at ticks, an end shows at one tick and the next task begins at another") {
  Lone lone(worker, with([](Options& o) { o.start_at_tick = true, o.tick = 10s; }));
  REQUIRE(lone.peer.complete_next());
  lone.transfer(0, 4);
  lone.transfer(1, 5);
  CHECK(lone.peer.works().empty());
  lone.pass(10s);
  REQUIRE(lone.peer.complete_next());
  CHECK(lone.count<Result>() == 0);
  lone.pass(10s);
  CHECK(lone.count<Result>() == 1);
  CHECK(lone.peer.works().empty());
  lone.pass(10s);
  CHECK(lone.peer.works().size() == 1);
}

TEST_CASE("ticks that come late do not add up, and requests come as often as they would in time") {
  const Options options = with(
      [](Options& o) { o.requests = Requests::always, o.exchange_ticks = 1, o.recovery = false; });
  Lone punctual(worker, options);
  Lone tardy(worker, options);
  punctual.pass(300500ms);
  tardy.pass_late(300500ms, 7ms);
  CHECK(tardy.count<Request>() == punctual.count<Request>());
  CHECK(tardy.count<Info>() == punctual.count<Info>());
}

TEST_CASE("ticks that were missed are not made up for") {
  Lone lone(worker, with([](Options& o) { o.exchange_ticks = 1, o.recovery = false; }));
  lone.pass(3s);
  lone.peer.pass(20s);
  lone.peer.forget();
  lone.pass(2500ms);
  CHECK(lone.count<Info>() <= 3 * 4);
  CHECK(lone.count<Info>() >= 3 * 3);
}

}  // namespace rhizome::vector_ticks_test
