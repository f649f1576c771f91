// Makes an outcome from an engine's report.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The inputs of an outcome besides the engine's report.
struct OutcomeInputs {
  Identity identity;
  const agents::World* world = nullptr;
  bool at_least_once = false;
  std::uint32_t most_hops = 0;
  Duration in_time{0};
  Patience patience{};
  std::vector<MessageKind> kinds;
  Duration sample_every{0};
  Duration lag_tolerance{0};
  Duration open_for{0};
  Duration limit = Duration::max();  // after which the run is given up
  std::vector<NeedOutcome> needs{};
  std::vector<core::ProcessorGroup> groups{};  // of peers; speeds count all of a group at work
  std::vector<core::Fault> faults{};
  std::vector<NetworkCut> cuts{};
  Steered steered{};
  bool queueing = false;
  bool real_time = false;  // the engine may have been late
};

// Checks every invariant on the way.
[[nodiscard]] Outcome make_outcome(const core::EngineReport& report, const OutcomeInputs& inputs);

// The message kinds of a peer's services.
[[nodiscard]] std::vector<MessageKind> message_kinds(const core::Peer& peer);

// The books of a run: the fate of its tasks and jobs, and how busy peers were, from its facts.
// Fills in the tasks and jobs of an outcome and the time that its peers were busy. It knows tasks
// from facts alone, so that a task added during the run counts like any other.
void keep_books(Outcome& outcome);

}  // namespace rhizome::scenarios
