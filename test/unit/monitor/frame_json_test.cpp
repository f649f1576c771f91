#include "tools/monitor/frame_json.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::frame_json_test {

using namespace std::chrono_literals;
using namespace scenarios::live;

namespace {

template <class F>
LiveFact live(const F& fact, std::uint32_t kind) {
  LiveFact told{.at = core::Time{1500ms}, .peer = core::PeerId{2}, .kind = kind};
  core::encode(fact, told.payload);
  return told;
}

scenarios::Json frame_json(const State& state, const FactSlice& facts = {},
                           const Welcome& welcome = {}) {
  return scenarios::parse_json(tools::frame_line(state, facts, welcome)).value();
}

}  // namespace

TEST_CASE("a frame in JSON has totals by name, the peers that changed, and texts of facts") {
  Rows rows(3);
  rows.set(core::PeerId{1}, {5, 1, 2, 0, 9, 0, 0, 0, 0, 1, 6, 0, 0, (3U << 2U) | 1U, 1, 1}, 4);
  State state;
  REQUIRE(state.apply({.number = 4,
                       .run = {.number = 1, .label = "sparrow", .peers = 3},
                       .now = core::Time{2s},
                       .totals = {.sent = {2, 5, 1}, .tasks = {.completed = 7, .waiting = 8}},
                       .rows = rows.changed_after(0),
                       .extras = {.views = ViewChanges{.list = {2, 2, 0, 1}}},
                       .cost = {.processes = {{0, "h1"}, {2, "h2", true}, {3, "h3", false, true}}},
                       .under_way = {1}}));
  const agents::ParentChanged moved{.root = core::PeerId{0},
                                    .parent = core::PeerId{1},
                                    .former = core::no_peer,
                                    .reason = "prom\x1botion"};
  const FactSlice facts{
      .next = 3, .missed = 6, .facts = {live(moved, 0), live(moved, 1), live(moved, 77)}};
  const Welcome welcome{.runs = 2, .fact_kinds = {"parent-changed", "moon-landed"}};
  const scenarios::Json json = frame_json(state, facts, welcome);
  CHECK(json.at("schema").get<std::string>() == "rhizome.frame/1");
  CHECK(json.at("run").at("number").get<int>() == 2);
  CHECK(json.at("run").at("tasks").is_null());
  CHECK(json.at("time").get<double>() == 2);
  CHECK(json.at("totals").at("sent").at("job").get<int>() == 5);
  CHECK(json.at("totals").at("tasks").at("completed").get<int>() == 7);
  CHECK(json.at("totals").at("tasks").at("waiting").get<int>() == 8);
  CHECK(json.at("missed_facts").get<int>() == 6);
  REQUIRE(json.at("views").size() == 1);
  CHECK(line_of(json.at("views").at(0)) == R"({"peer":1,"overlay":"random","links":[0,2]})");
  REQUIRE(json.at("peers").size() == 3);  // the first frame tells of all
  const scenarios::Json& peer = json.at("peers").at(1);
  CHECK(peer.at("peer").get<int>() == 1);
  CHECK(peer.at("alive").get<bool>());
  CHECK(peer.at("life").get<int>() == 3);
  CHECK(peer.at("above").get<int>() == 0);
  CHECK(peer.at("job").get<int>() == 5);
  CHECK(peer.at("running").get<int>() == 1);
  CHECK(peer.at("waiting").get<int>() == 6);
  CHECK(peer.at("process").get<int>() == 2);
  CHECK(line_of(json.at("processes").at(1)) ==
        R"({"process":2,"host":"h2","lost":true,"silent":false})");
  CHECK(line_of(json.at("processes").at(2)) ==
        R"({"process":3,"host":"h3","lost":false,"silent":true})");
  REQUIRE(json.at("facts").size() == 3);
  const scenarios::Json& fact = json.at("facts").at(0);
  CHECK(fact.at("time").get<double>() == 1.5);
  CHECK(fact.at("kind").get<std::string>() == "parent-changed");
  CHECK(fact.at("values").at("parent").get<int>() == 1);
  CHECK(fact.at("values").at("former").is_null());
  CHECK(fact.at("values").at("reason").get<std::string>() == "prom\\x1botion");
  CHECK(json.at("facts").at(1).at("values").empty());  // of an unknown kind
  CHECK(json.at("facts").at(2).at("kind").get<std::string>() == "unknown");
}

TEST_CASE("views that were not asked for are distinguished from views that have not changed") {
  State state;
  REQUIRE(state.apply({.number = 1, .run = {.peers = 2}, .rows = Rows(2).changed_after(0)}));
  CHECK(frame_json(state).at("views").is_null());
  REQUIRE(state.apply({.number = 2,
                       .since = 1,
                       .run = {.peers = 2},
                       .extras = {.views = ViewChanges{.list = {0, 1, 1}}}}));
  CHECK(frame_json(state).at("views").size() == 1);
  REQUIRE(state.apply({.number = 3,
                       .since = 2,
                       .run = {.peers = 2},
                       .extras = {.views = ViewChanges{.since = 2}}}));
  CHECK(frame_json(state).at("views").empty());
  CHECK_FALSE(frame_json(state).at("views").is_null());
}

}  // namespace rhizome::frame_json_test
