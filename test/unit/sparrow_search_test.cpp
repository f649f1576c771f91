// Where a master looks for places: the probes of a job together, and how far its own go.
#include <doctest/doctest.h>

#include <chrono>
#include <set>

#include "agents/sparrow/master.hpp"
#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_search_test {

using core::PeerId;
using test::LoneSparrow;
using test::other;
using test::probing;
using namespace agents::sparrow;
using namespace std::chrono_literals;

namespace {

constexpr agents::TaskId first{0, 0};

Options per_job(std::uint32_t probes) {
  Options options = probing(probes);
  options.probing = Probing::per_job;
  return options;
}

// How long a master waits between its searches while no peer answers.
template <class Search>
std::vector<core::Duration> waits(LoneSparrow& alone, int searches) {
  std::vector<core::Duration> list;
  for (int i = 0; i < searches; ++i) {
    const core::Time since = alone.peer.now();
    const std::size_t before = alone.peer.sent<Search>().size();
    alone.fire_until([&] { return alone.peer.sent<Search>().size() > before; });
    list.push_back(alone.peer.now() - since);
  }
  return list;
}

// Options with overlays and detector at rest.
Options quiet(Options options) {
  options.detector_round = options.shuffle_period = 1h;
  return options;
}

const std::vector<core::Duration> rarer{2s, 2s, 2s, 2s, 4s, 8s, 8s, 8s, 8s};

}  // namespace

TEST_CASE("a job's probes go to distinct peers, as many as its tasks ask for") {
  test::World world = LoneSparrow::make_world();
  LoneSparrow alone(per_job(1), PeerId{2}, world);
  for (std::uint32_t job = 0; job < 8; ++job) alone.adopt({{job, 0}, {job, 1}});
  const auto probes = alone.peer.sent<Probe>();
  REQUIRE(probes.size() == 16);
  for (std::size_t i = 0; i < probes.size(); i += 2) {
    CHECK(probes[i].first != probes[i + 1].first);
    CHECK(probes[i].second.task.portion == 0);
    CHECK(probes[i + 1].second.task.portion == 1);
  }
}

TEST_CASE("tasks probed for one by one may share a peer, tasks of a job may not") {
  const auto meetings = [](const Options& options) {
    LoneSparrow alone(options, PeerId{2}, test::small_world({.jobs = 40, .portions = 2}));
    for (std::uint32_t job = 0; job < 40; ++job) alone.adopt({{job, 0}, {job, 1}});
    const auto probes = alone.peer.sent<Probe>();
    std::size_t met = 0;
    for (std::size_t i = 0; i < probes.size(); i += 2)
      met += probes[i].first == probes[i + 1].first;
    return met;
  };
  CHECK(meetings(per_job(1)) == 0);
  CHECK(meetings(probing(1)) > 0);
}

TEST_CASE("if there are fewer peers than a job wants probes, all are probed in turn") {
  LoneSparrow alone(per_job(3));
  alone.adopt({{0, 0}, {0, 1}});
  const auto probes = alone.peer.sent<Probe>();
  REQUIRE(probes.size() == 6);
  std::set<std::pair<PeerId, agents::TaskId>> distinct;
  for (const auto& [to, probe] : probes) distinct.insert({to, probe.task});
  CHECK(distinct.size() == 6);
}

// The master's neighbours in a graph that never changes may all be dead, and no message would
// report it.
TEST_CASE("a probe that its master sends to itself stays there, and one of another goes on") {
  Options options = probing(1);
  options.view = ViewSource::graph;
  options.max_hops = 2;
  for (const PeerId master : {PeerId{2}, other}) {
    test::World world = LoneSparrow::make_world();
    for (agents::Capacity& capacity : world.capacities) capacity.slots = 1;
    LoneSparrow alone(options, PeerId{2}, world);
    alone.probe({6, 0}, 1, 2);  // takes the only processor
    alone.peer.deliver(master, Probe{first, {1, 0}, master, {}});
    CHECK(alone.peer.sent<Deposited>().size() == (master == PeerId{2} ? 2 : 1));
    CHECK(alone.peer.sent<Probe>().size() == (master == PeerId{2} ? 0 : 1));
  }
}

// A second probe of the same task walks on from there until its last hop.
TEST_CASE("if there are fewer peers than a task wants probes, none is probed for it twice") {
  LoneSparrow alone(per_job(9));
  alone.adopt({{0, 0}, {0, 1}});
  std::set<std::pair<PeerId, agents::TaskId>> distinct;
  for (const auto& [to, probe] : alone.peer.sent<Probe>())
    CHECK(distinct.insert({to, probe.task}).second);
  CHECK(distinct.size() == 2 * 3);
}

TEST_CASE("a small job is probed for as often as asked at least") {
  Options options = per_job(1);
  options.min_probes = 3;
  LoneSparrow alone(options);
  alone.adopt();
  CHECK(alone.peer.sent<Probe>().size() == 3);
  options.sampling = Sampling::batch;
  options.probing = Probing::per_task;
  LoneSparrow sampling(options);
  sampling.adopt();
  CHECK(sampling.peer.sent<Query>().size() == 3);
}

TEST_CASE("a task that fits no peer is probed for more and more rarely") {
  LoneSparrow alone(quiet(probing(1)));
  alone.adopt();
  CHECK(waits<Probe>(alone, 9) == rarer);
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(other, Unknown{{}, {10}});  // it has begun anew
  CHECK(waits<Probe>(alone, 2).back() == 2s);
}

TEST_CASE("loads are asked for more and more rarely where no peer answers") {
  for (const Sampling sampling : {Sampling::per_task, Sampling::batch}) {
    LoneSparrow alone(quiet(test::early(sampling, 1)));
    alone.adopt();
    CHECK(waits<Query>(alone, 9) == rarer);
  }
}

}  // namespace rhizome::sparrow_search_test
