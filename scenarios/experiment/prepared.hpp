// A prepared run: its world, faults, network, scheduler and the inputs of clients. It holds
// everything that a run needs except an engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/handed_in.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "scenarios/world/workload/job_list.hpp"

namespace rhizome::scenarios {

// The position of a run in its cell.
struct RunOfCell {
  std::size_t scheduler = 0;  // position in its scenario
  std::uint32_t repetition = 0;
  DoneBy by = DoneBy::one;
};

// `choices`: the choices of a sweep that concern the run.
[[nodiscard]] Identity identity_of(const Cell& cell, const RunOfCell& run,
                                   const Assignments& choices);

class Prepared {
 public:
  // The cell and the observer outlive it. The observer is told in advance of planned faults and
  // cuts and of the speeds of peers.
  Prepared(const Cell& cell, const RunOfCell& run, const core::Observer& observer);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  [[nodiscard]] const std::vector<std::string>& remarks() const { return around_.remarks; }
  [[nodiscard]] const agents::World& world() const { return around_.world; }
  // The setup for an engine. Call it once. The setup refers to this object.
  [[nodiscard]] core::EngineSetup setup();
  // Makes the outcome from the engine's report, with the planned faults.
  [[nodiscard]] Outcome outcome(const core::EngineReport& report) {
    return outcome(report, around_.faults, false);
  }
  // The same with other faults than the planned ones. `late`: messages may arrive later than the
  // network alone would make them.
  [[nodiscard]] Outcome outcome(const core::EngineReport& report,
                                const std::vector<core::Fault>& faults, bool late);
  // Peers whose crash the scheduler does not promise to survive.
  [[nodiscard]] std::vector<core::PeerId> essential() const {
    return choice().scheduler->essential(choice().options, around_.world);
  }
  [[nodiscard]] const Surroundings& surroundings() const { return around_; }

 private:
  [[nodiscard]] bool is_open() const { return scenario_.run.duration > core::Duration::zero(); }
  [[nodiscard]] const SchedulerChoice& choice() const {
    return scenario_.schedulers[run_.scheduler];
  }
  [[nodiscard]] core::Foreseen foreseen() const;
  [[nodiscard]] bool queues() const;
  void equip(core::Peer& peer) const;

  const Cell& cell_;
  const RunOfCell run_;
  const core::Observer& observer_;
  Surroundings around_;
  const Scenario scenario_;
  agents::Deployment deployment_;
  std::optional<JobRecord> record_;  // records the jobs that come during the run
  std::unique_ptr<core::InputSource> inputs_;
};

}  // namespace rhizome::scenarios
