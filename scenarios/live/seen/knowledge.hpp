// All that a monitor knows of an experiment. It takes in answers, which come from a live run or
// from a recording.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "scenarios/live/messages.hpp"
#include "scenarios/live/seen/suspicions.hpp"
#include "scenarios/live/state.hpp"

namespace rhizome::scenarios::live {

struct Knowledge {
  Welcome welcome{};
  State state{};
  FactSlice latest_facts{};  // the facts of the latest frame
  // Of the run that the monitor asked for last; may be null. It is shared, since it may be long.
  std::shared_ptr<const KnownPlan> plan{};
  std::optional<FoundFacts> story{};  // the latest story
  std::vector<RunBrief> under_way{};  // as of the latest RunsAnswer message
  std::vector<RunEnd> ends{};         // in the order in which the runs were judged
  std::set<std::uint32_t> ended{};    // the runs of `ends`
  Suspicions suspicions{};            // of the run that the monitor follows

  // The plan of the run that the state is about.
  [[nodiscard]] const KnownPlan* plan_of_run() const {
    return plan && plan->run == state.frame().run.number ? plan.get() : nullptr;
  }
  [[nodiscard]] const RunEnd* end_of(std::uint32_t run) const;

  void take(Welcome said) { welcome = std::move(said); }
  // Returns false where the frame does not follow the known state, which is forgotten then.
  [[nodiscard]] bool take(const Frame& frame);
  void take(Plan said) { plan = std::make_shared<const KnownPlan>(std::move(said)); }
  void take(FoundFacts said) { story = std::move(said); }
  void take(RunsAnswer said);
  void take(const Over& over);

 private:
  void take_ends(const std::vector<RunEnd>& said);
};

}  // namespace rhizome::scenarios::live
