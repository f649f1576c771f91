// Processors that peers share, in virtual time.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/crowd.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/engine/work_pool.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/experiments.hpp"
#include "test/support/toiler.hpp"

namespace rhizome::crowd_test {

using namespace std::chrono_literals;
using core::Crowd;
using core::PeerId;

namespace {

core::Time at(core::Duration since) { return core::Time{} + since; }

std::shared_ptr<test::Toils> run(const std::function<void(core::EngineSetup&)>& change,
                                 bool pauses = false) {
  auto toils = std::make_shared<test::Toils>();
  core::EngineSetup setup = test::crowded(toils, pauses);
  change(setup);
  core::VirtualEngine engine(std::move(setup));
  CHECK(engine.run({}).working == 0);
  return toils;
}

core::Time end_of(const std::shared_ptr<test::Toils>& toils, std::uint32_t peer) {
  return toils->of.at(PeerId{peer}).ended;
}

// Whether the two are equal to the microsecond: shares are rounded.
bool about(core::Time found, core::Duration wanted) {
  const core::Duration off = found - at(wanted);
  return off < 1us && off > -1us;
}

}  // namespace

TEST_CASE("groups get processors of the machine in their order, or none if there are too few") {
  const std::vector<core::ProcessorGroup> groups{{{PeerId{1}, PeerId{2}}, 2}, {{PeerId{4}}, 1}};
  const core::Allotment enough(groups, {3, 5, 7, 8});
  CHECK_FALSE(enough.group_of(PeerId{0}));
  CHECK(enough.group_of(PeerId{2}) == 0U);
  CHECK(enough.group_of(PeerId{4}) == 1U);
  CHECK(enough.cores_of(0) == 2);
  CHECK(enough.cores_of(1) == 1);
  CHECK_FALSE(core::Allotment(groups, {3, 5}).group_of(PeerId{4}));
}

TEST_CASE("a piece of work has a processor, or an equal share where there are fewer") {
  const std::vector<core::ProcessorGroup> groups{{{PeerId{1}, PeerId{2}}, 2}};
  Crowd crowd(groups, 4);
  CHECK_FALSE(crowd.has(PeerId{0}));
  CHECK(crowd.has(PeerId{2}));
  CHECK(crowd.with(PeerId{1}).size() == 2);
  CHECK_FALSE(crowd.add(PeerId{1}, 1));
  CHECK_FALSE(crowd.add(PeerId{2}, 1));
  CHECK(crowd.share(PeerId{1}) == 1);
  CHECK(crowd.add(PeerId{2}, 2));
  CHECK(crowd.share(PeerId{1}) == 0.5);
  CHECK(crowd.share(PeerId{0}) == 1);
  CHECK(crowd.add(PeerId{1}, -1));
  CHECK(crowd.add(PeerId{2}, -1));
  CHECK(crowd.share(PeerId{2}) == 1);
}

TEST_CASE("three peers on two processors slow each other down until one has done") {
  const auto toils = run([](core::EngineSetup&) {});
  CHECK(about(end_of(toils, 0), 1500ms));
  CHECK(about(end_of(toils, 1), 2500ms));
  CHECK(about(end_of(toils, 2), 3500ms));
  for (const auto& [peer, toil] : toils->of) {
    const core::Duration off = toil.served - 1s * (peer.value + 1);
    CHECK((off < 1us && off > -1us));
  }
}

TEST_CASE("peers without a group, or with processors enough, are not slowed down") {
  for (const bool none : {true, false}) {
    const auto toils = run([none](core::EngineSetup& setup) {
      if (none) setup.groups.clear();
      for (core::ProcessorGroup& group : setup.groups) group.cores = 3;
    });
    for (std::uint32_t i = 0; i < 3; ++i) CHECK(end_of(toils, i) == at(1s * (i + 1)));
  }
}

TEST_CASE("a peer that dies leaves its processor to the others") {
  const auto toils = run([](core::EngineSetup& setup) {
    setup.faults = {{.at = at(750ms), .peer = PeerId{0}, .kind = core::Fault::Kind::crash}};
  });
  CHECK(about(end_of(toils, 1), 2250ms));
  CHECK(about(end_of(toils, 2), 3250ms));
}

TEST_CASE("work that pauses leaves its processor to the others, and comes back for it") {
  const auto toils = run([](core::EngineSetup&) {}, true);
  CHECK(about(end_of(toils, 0), 1250ms));  // a third at two thirds, then alone with another
  CHECK(toils->of.size() == 3);
  const core::Duration all = 6s;
  core::Duration served{0};
  for (const auto& [peer, toil] : toils->of) served += toil.served;
  CHECK(served - all < 3us);
  CHECK(all - served < 3us);
}

TEST_CASE("a scenario gives groups of peers their processors and their speed") {
  const std::string text =
      "peers = { count = 4, speed_min = 1, speed_max = 1, group = [{ count = 3, cores = 1 }, { "
      "count = 1, cores = 5, speed = 2 }] }\n"
      "workload = { jobs = 1, portions = 4, portion_time = \"10s\" }\n"
      "engine.kind = \"virtual\"\n[[scheduler]]\nuse = \"round-robin\"\n";
  const auto outcome = test::run_scenario(text);
  test::check_sound(outcome);
  CHECK(test::metric(outcome, "makespan") == doctest::Approx(30).epsilon(0.01));
  CHECK(outcome.peers[3].speed == 2);
  CHECK(outcome.peers[0].speed == doctest::Approx(1.0 / 3));  // while all three are at work
  CHECK(test::metric(outcome, "fluid_limit") == doctest::Approx(40 / 3.0));
}

TEST_CASE("groups describe unlike machines, each with processors of its own") {
  const std::string text =
      "peers = { count = 4, speed_min = 1, speed_max = 1, group = [{ count = 2, speed = 3, slots = "
      "4 }, { count = 1, memory = 8 }] }\n"
      "workload = { jobs = 1, portions = 4, portion_time = \"10s\" }\n"
      "engine.kind = \"virtual\"\n[[scheduler]]\nuse = \"round-robin\"\n";
  const auto around =
      scenarios::make_surroundings(scenarios::parse_scenario(text, "s.toml").front().scenario, 1);
  CHECK(around.groups.empty());
  const auto& peers = around.world.capacities;
  CHECK(peers[0].speed == 3);
  CHECK(peers[1].slots == 4);
  CHECK(peers[2].speed == 1);
  CHECK(peers[2].slots == 1);
  CHECK(peers[2].memory == 8);
  CHECK(peers[3].memory == 1);
}

TEST_CASE("a group that says nothing of its peers is refused") {
  const std::string text =
      "[peers]\ncount = 4\n[[peers.group]]\ncount = 3\n[[scheduler]]\nuse = \"round-robin\"\n";
  CHECK_THROWS_WITH_AS(static_cast<void>(scenarios::parse_scenario(text, "s.toml")),
                       "s.toml:4:1: this group has no effect: give it a speed, slots, memory or "
                       "cores",
                       scenarios::InputError);
}

TEST_CASE("groups with more peers than there are, are refused at the one that is too many") {
  const std::string text =
      "[peers]\ncount = 4\n[[peers.group]]\ncount = 3\nspeed = 2\n"
      "[[peers.group]]\ncount = 2\ncores = 1\n"
      "[[scheduler]]\nuse = \"round-robin\"\n";
  CHECK_THROWS_WITH_AS(
      static_cast<void>(scenarios::parse_scenario(text, "s.toml")),
      "s.toml:7:1: the groups up to this one have 5 peers, more than peers.count, which is 4",
      scenarios::InputError);
}

}  // namespace rhizome::crowd_test
