// Reports of engines made by hand, and the outcomes that are made of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "agents/scheduler.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/outcome/make_outcome.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::test {

// Two peers, the second twice as fast; one job of two tasks of 2 s.
inline agents::World two_peers() {
  agents::World world;
  world.graph.neighbours = {{core::PeerId{1}}, {core::PeerId{0}}};
  world.capacities = {{.speed = 1}, {.speed = 2, .slots = 3}};
  world.source = core::PeerId{0};
  world.profile.add({.id = 0,
                     .arrival = at(1s),
                     .portions = {{.id = {0, 0}, .duration = 2s}, {.id = {0, 1}, .duration = 2s}}});
  return world;
}

inline core::EngineReport empty_report(core::Duration sample_every = 0s) {
  core::EngineReport report;
  report.ending = core::Ending::finished;
  report.ended = at(20s);
  report.recorders = {core::Recorder({.period = sample_every}),
                      core::Recorder({.period = sample_every})};
  report.incarnations = {{0}, {1}};
  report.alive = report.finished = {true, true};
  report.armed.resize(2);
  return report;
}

template <class F>
void note(core::EngineReport& report, core::Duration when, std::uint32_t peer, const F& fact) {
  core::Bytes payload;
  core::encode(fact, payload);
  report.recorders[peer].note(at(when), {&F::info, payload});
}

inline scenarios::Outcome outcome_of(const core::EngineReport& report, const agents::World& world,
                                     const std::string& engine = "virtual",
                                     core::Duration sample_every = 0s) {
  scenarios::Identity identity;
  identity.engine = engine;
  return scenarios::make_outcome(report, {.identity = identity,
                                          .world = &world,
                                          .at_least_once = true,
                                          .kinds = {},
                                          .sample_every = sample_every,
                                          .real_time = engine == "threads"});
}

}  // namespace rhizome::test
