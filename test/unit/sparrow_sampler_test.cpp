// Early binding at a Sparrow master: samples of loads, and the peers chosen from them.
#include "agents/sparrow/sampler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "overlay/graph.hpp"
#include "overlay/graph_generators.hpp"
#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_sampler_test {

using core::PeerId;
using test::early;
using test::LoneSparrow;
using test::other;
using test::probing;
using test::third;
using namespace agents::sparrow;

namespace {

constexpr agents::TaskId first{0, 0};
constexpr agents::TaskId second{1, 0};

}  // namespace

TEST_CASE("early binding places each task of a job on the least loaded peers of one sample") {
  LoneSparrow alone(early(Sampling::batch, 1));
  alone.adopt({{0, 0}, {0, 1}});
  const auto asked = alone.peer.sent<Query>();
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].first != asked[1].first);
  CHECK(asked[0].second.sampling == asked[1].second.sampling);
  CHECK(asked[0].second.step.value != asked[1].second.step.value);
  alone.peer.deliver(asked[0].first, Load{asked[0].second.sampling, 0, 0.5, {2, 1}});
  CHECK(alone.peer.sent<Place>().empty());
  alone.peer.deliver(asked[1].first, Load{asked[1].second.sampling, 0, 1.5, {2, 1}});
  const auto placed = alone.peer.sent<Place>();
  REQUIRE(placed.size() == 2);
  CHECK(placed[0].first == asked[1].first);
  CHECK(placed[1].first == asked[0].first);
}

TEST_CASE("per-task sampling asks for each task by itself and takes the least loaded") {
  LoneSparrow alone(early(Sampling::per_task, 2));
  alone.adopt({{0, 0}, {0, 1}});
  const auto asked = alone.peer.sent<Query>();
  REQUIRE(asked.size() == 4);
  CHECK(asked[0].second.sampling != asked[2].second.sampling);
  alone.peer.deliver(asked[0].first, Load{asked[0].second.sampling, 0, -3, {2, 1}});
  alone.peer.deliver(asked[1].first, Load{asked[1].second.sampling, 0, 1, {2, 1}});
  REQUIRE(alone.peer.sent<Place>().size() == 1);
  CHECK(alone.peer.sent<Place>()[0].first == asked[1].first);
}

TEST_CASE("an answer that comes twice does not close a sample short") {
  LoneSparrow alone(early(Sampling::per_task, 2));
  alone.adopt({first});
  const auto asked = alone.peer.sent<Query>();
  REQUIRE(asked.size() == 2);
  const std::uint32_t sampling = asked[0].second.sampling;
  for (int i = 0; i < 2; ++i) alone.peer.deliver(asked[0].first, Load{sampling, 0, -3, {2, 1}, 0});
  CHECK(alone.peer.sent<Place>().empty());
  alone.peer.deliver(asked[0].first, Load{sampling, 0, -3, {2, 1}, 1});  // both walks led there
  CHECK(alone.peer.sent<Place>().size() == 1);
}

TEST_CASE("a peer that is asked for its load names the walk that it answers") {
  LoneSparrow alone;
  for (const std::uint64_t number : {0, 3})
    alone.peer.deliver(other, Query{7, {1, 0}, other, alone.walks.first(number)});
  const auto loads = alone.peer.sent<Load>();
  REQUIRE(loads.size() == 2);
  CHECK(loads[0].second.walk == 0);
  CHECK(loads[1].second.walk == 3);
}

TEST_CASE("a silent partner of a sample is not waited for longer than the time-out") {
  LoneSparrow alone(early(Sampling::per_task, 2));
  alone.adopt();
  const auto asked = alone.peer.sent<Query>();
  alone.peer.deliver(asked[1].first, Load{asked[1].second.sampling, 0, 1, {2, 1}});
  alone.fire_until([&] { return alone.peer.sent<Place>().size() == 1; });
  CHECK(alone.peer.sent<Place>()[0].first == asked[1].first);
  CHECK(alone.peer.now() < core::Time(std::chrono::seconds(3)));
}

TEST_CASE("a sample without answers is drawn again") {
  LoneSparrow alone(early(Sampling::batch, 1));
  alone.adopt();
  alone.fire_until([&] { return alone.peer.sent<Query>().size() == 3; });
}

TEST_CASE("a task is not placed on a peer that answered, but is too small or has died") {
  LoneSparrow alone(early(Sampling::per_task, 2));
  alone.adopt({first});
  const auto asked = alone.peer.sent<Query>();
  alone.peer.deliver(asked[0].first, Load{asked[0].second.sampling, 0, 5, {1, 0}});
  alone.peer.deliver(asked[1].first, Load{asked[1].second.sampling, 0, 1, {2, 1}});
  REQUIRE(alone.peer.sent<Place>().size() == 1);
  const PeerId executor = alone.peer.sent<Place>()[0].first;
  CHECK(executor == asked[0].first);  // it has one slot and no memory, which is enough
  alone.adopt({second});
  const auto again = alone.peer.sent<Query>();
  REQUIRE(again.size() == 4);
  alone.peer.deliver(executor, Load{again[2].second.sampling, 0, 5, {2, 1}});
  alone.leaves(executor);
  const PeerId living = executor == again[2].first ? again[3].first : again[2].first;
  alone.peer.deliver(living, Load{again[2].second.sampling, 0, 0, {2, 1}});
  const auto placed = alone.peer.sent<Place>();
  CHECK(std::any_of(placed.begin() + 1, placed.end(),
                    [](const auto& sent) { return sent.second.task.id == second; }));
  for (auto sent = placed.begin() + 1; sent != placed.end(); ++sent) CHECK(sent->first != executor);
}

TEST_CASE("a task that its executor does not know is placed anew, and not blindly") {
  LoneSparrow alone(early(Sampling::random, 2));
  alone.adopt();
  REQUIRE(alone.peer.sent<Place>().size() == 1);
  const PeerId executor = alone.peer.sent<Place>()[0].first;
  alone.peer.deliver(third == executor ? other : third, Unknown{{first}, {}});
  CHECK(alone.noted<agents::TaskReissued>() ==
        0);  // that peer was not given the task, so this changes nothing
  alone.peer.deliver(executor, Unknown{{first}, {}});
  CHECK(alone.noted<agents::TaskReissued>() == 1);
  const auto asked = alone.peer.sent<Query>();
  REQUIRE(asked.size() == 1);
  alone.peer.deliver(asked[0].first, Load{asked[0].second.sampling, 0, 1, {2, 1}});
  CHECK(alone.peer.sent<Place>().size() == 2);
}

TEST_CASE("a high temperature takes any next hop, a temperature of zero the best") {
  const auto places = [](double temperature) {
    Options options = early(Sampling::random, 2);
    options.temperature = temperature;
    LoneSparrow alone(options);
    alone.peer.pass(std::chrono::seconds(2));
    overlay::Shuffle news;
    news.sample.push_back({.peer = third,
                           .taken = core::Time(std::chrono::seconds(1)),
                           .advert = {.utility = 2, .free_cpus = 2}});
    alone.peer.deliver_to<overlay::Cyclon>(other, news);
    for (std::uint32_t job = 0; job < 10; ++job) alone.adopt({{job, 0}, {job, 1}});
    std::set<PeerId> chosen;
    for (const auto& [to, placed] : alone.peer.sent<Place>()) chosen.insert(to);
    return chosen;
  };
  CHECK(places(0) == std::set<PeerId>{third});
  CHECK(places(100).size() == 3);
}

TEST_CASE("a sample without answers is drawn from all peers where neighbours never change") {
  for (const Sampling sampling : {Sampling::per_task, Sampling::batch}) {
    Options options = early(sampling, 1);
    options.view = ViewSource::graph;
    options.probe_timeout = std::chrono::milliseconds(100);
    test::World world = LoneSparrow::make_world();
    world.graph = overlay::graph_of(4, std::vector<overlay::Edge>{{1, 2}, {0, 1}, {0, 3}});
    LoneSparrow alone(options, PeerId{2}, world);
    alone.adopt();
    REQUIRE(alone.peer.sent<Query>().size() == 1);
    CHECK(alone.peer.sent<Query>()[0].first == other);
    alone.fire_until([&] { return alone.peer.sent<Query>().size() == 30; });
    std::set<PeerId> asked;
    for (const auto& [to, query] : alone.peer.sent<Query>()) asked.insert(to);
    CHECK(asked.size() == 4);
  }
}

TEST_CASE("over the graph a sample has as many distinct peers as it asks for, none held for dead") {
  Options options = early(Sampling::batch, 2);
  options.view = ViewSource::graph;
  test::World world = test::small_world({.jobs = 10, .portions = 2, .peers = 10});
  world.graph = overlay::generate(overlay::Complete{10});
  world.capacities.assign(10, {.slots = 2});
  LoneSparrow alone(options, PeerId{9}, world);
  alone.probe({9, 0});  // so that its master is watched
  alone.leaves(other);
  for (std::uint32_t job = 0; job < 10; ++job) {
    alone.peer.forget();
    alone.adopt({{job, 0}, {job, 1}});
    std::set<PeerId> asked;
    for (const auto& [to, query] : alone.peer.sent<Query>()) asked.insert(to);
    CHECK(asked.size() == 4);
    CHECK_FALSE(asked.contains(other));
    CHECK_FALSE(asked.contains(PeerId{9}));
  }
}

}  // namespace rhizome::sparrow_sampler_test
