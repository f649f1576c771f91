// Parts that protocols share: the end of a run, and the watch over the source.
#include <doctest/doctest.h>

#include "agents/farewell.hpp"
#include "agents/source_watch.hpp"
#include "core/peer/env.hpp"
#include "test/support/scene.hpp"

namespace rhizome::agents::farewell_test {

using std::chrono::seconds;

namespace {

using Messages = core::OneOf<Over, OverToo>;
using Env = core::Env<Messages, core::OneOf<OverDue>, core::OneOf<RunFailed>>;
using Scene = test::Scene<Messages, Env>;

constexpr PeerId first{1};
constexpr PeerId second{2};

}  // namespace

TEST_CASE("the end is told until it is acknowledged, and so often to a peer that never does") {
  Scene scene(PeerId{0});
  Farewell<> farewell(seconds(1), 3);
  for (const PeerId peer : {first, second}) farewell.tell(scene.env(), peer, true);
  farewell.wait(scene.env());
  CHECK_FALSE(farewell.complete());
  farewell.on(scene.env(), first, OverToo{});
  farewell.on(scene.env(), OverDue{});
  farewell.on(scene.env(), OverDue{});
  CHECK(scene.sent<Over>().size() == 2 + 2);
  CHECK_FALSE(farewell.complete());
  farewell.on(scene.env(), OverDue{});
  CHECK(scene.sent<Over>().size() == 2 + 2);
  CHECK(farewell.complete());
}

TEST_CASE("where nothing is lost the end is told once") {
  Scene scene(PeerId{0});
  Farewell<> farewell(seconds(1), 3);
  farewell.tell(scene.env(), first, false);
  farewell.wait(scene.env());
  CHECK(farewell.complete());
  CHECK(scene.sent<Over>().size() == 1);
}

TEST_CASE("a source that is heard is not asked, a silent one is, and given up in the end") {
  Scene scene(first);
  SourceWatch watch(PeerId{0}, seconds(10), seconds(40), Backoff(seconds(1), 1));
  watch.start(scene.now(), false);
  scene.pass(seconds(4));
  watch.heard(scene.now());
  scene.pass(seconds(6));
  auto look = watch.look(scene.env());
  REQUIRE(look);
  CHECK_FALSE(look->asks);
  CHECK(look->next == seconds(4));
  scene.pass(look->next);
  for (const int wait : {1, 2, 2}) {
    look = watch.look(scene.env());
    REQUIRE(look);
    CHECK(look->asks);
    CHECK(look->next == seconds(wait));
  }
  scene.pass(seconds(30));
  CHECK_FALSE(watch.look(scene.env()));
  CHECK(watch.gave_up());
}

TEST_CASE("a later life asks at once, until it is welcomed") {
  Scene scene(first, core::Incarnation{1});
  SourceWatch watch(PeerId{0}, seconds(10), seconds(40), Backoff(seconds(1)));
  watch.start(scene.now(), true);
  auto look = watch.look(scene.env());
  REQUIRE(look);
  CHECK(look->asks);
  watch.welcomed();
  look = watch.look(scene.env());
  REQUIRE(look);
  CHECK_FALSE(look->asks);
}

}  // namespace rhizome::agents::farewell_test
