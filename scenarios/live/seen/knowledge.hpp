// All that a monitor knows: answers go in, whether they come from a run or out of a recording.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/live/messages.hpp"
#include "scenarios/live/seen/suspicions.hpp"
#include "scenarios/live/state.hpp"

namespace rhizome::scenarios::live {

struct Knowledge {
  Welcome welcome{};
  State state{};
  FactSlice latest_facts{};           // that came with the latest frame
  std::optional<Plan> plan{};         // of the run that was asked for last
  std::optional<Facts> story{};       // that was told last
  std::vector<RunBrief> under_way{};  // as of the last roll
  std::vector<RunEnd> ends{};         // in the order in which they were judged
  Suspicions suspicions{};            // of the run that is followed

  // Of the run that the state is about.
  [[nodiscard]] const Plan* plan_of_run() const {
    return plan && plan->run == state.frame().run.number ? &*plan : nullptr;
  }
  [[nodiscard]] const RunEnd* end_of(std::uint32_t run) const;

  void take(Welcome said) { welcome = std::move(said); }
  // False where it does not follow what is known, which is forgotten then.
  [[nodiscard]] bool take(const Frame& frame);
  void take(Plan said) { plan = std::move(said); }
  void take(Facts said) { story = std::move(said); }
  void take(Roll said);
  void take(const Over& over);
};

}  // namespace rhizome::scenarios::live
