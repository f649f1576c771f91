// The reported numbers of waiting tasks, for every scheduler.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>

#include "agents/facts.hpp"
#include "core/engine/virtual_engine.hpp"
#include "test/support/catalogue.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::waiting_test {

using namespace std::chrono_literals;
using core::PeerId;

namespace {

// Far more work at once than twelve peers can begin.
const std::string overloaded = R"(
peers.count = 12
peers.slots_max = 2
workload.jobs = 30
workload.portions = 8
workload.spacing = "1ms"
workload.portion_time = "500ms"
engine.kind = "virtual"
engine.time_limit = "10min"
)" +
                               test::schedulers({"omniscient", "heft", "overlay-only", "dispatcher",
                                                 "master-worker", "coordinator"}) +
                               "[[scheduler]]\nuse = \"wander\"\nstay = \"10ms\"\n" +
                               test::passing_schedulers;

// Totals over all peers.
struct Tally {
  std::uint64_t waiting = 0;
  std::size_t submitted = 0;
  std::set<agents::TaskId> begun;

  void add(const core::Recorder& recorder) {
    waiting += recorder.vitals().waiting.get();
    recorder.facts().for_each([this](core::Time, const core::EncodedFact& fact) {
      submitted += fact.info == &agents::TaskSubmitted::info ? 1 : 0;
      if (fact.info != &agents::TaskStarted::info) return;
      agents::TaskStarted started;
      REQUIRE(core::decode(fact.payload, started) == core::DecodeError::none);
      begun.insert(started.task);
    });
  }
};

struct Course {
  std::uint64_t most = 0;    // most that ever waited
  bool beyond_doubt = true;  // no more waited than were submitted and not begun
  Tally end;
};

// Looks ten times a second.
Course follow(const scenarios::Cell& cell, std::size_t scheduler) {
  Course course;
  const auto performer = [&course](const agents::World&, core::EngineSetup setup,
                                   const core::Observer& observer) {
    const std::uint32_t peers = setup.peers;
    core::VirtualEngine engine(std::move(setup));
    for (core::Time at{}; engine.run_until(at); at += 100ms) {
      Tally now;
      for (std::uint32_t i = 0; i < peers; ++i) now.add(engine.recorder(PeerId{i}));
      course.most = std::max(course.most, now.waiting);
      if (now.waiting + now.begun.size() > now.submitted) course.beyond_doubt = false;
    }
    core::EngineReport report = engine.run(observer);
    for (const core::Recorder& recorder : report.recorders) course.end.add(recorder);
    return report;
  };
  test::check_sound(scenarios::run_once(cell, scheduler, 0, {}, nullptr, performer));
  return course;
}

}  // namespace

TEST_CASE(
    "under every scheduler tasks wait when there is too much work, each once, and none at the "
    "end") {
  const auto cell = scenarios::parse_scenario(overloaded, "test.toml", {}).front();
  const auto& choices = cell.scenario.schedulers;
  std::set<std::string_view> covered;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    CAPTURE(choices[i].label);
    covered.insert(choices[i].scheduler->name);
    const Course course = follow(cell, i);
    CHECK(course.most > course.end.submitted / 2);
    CHECK(course.beyond_doubt);
    CHECK(course.end.waiting == 0);
  }
  CHECK(covered.size() == test::ready_schedulers().size());
}

}  // namespace rhizome::waiting_test
