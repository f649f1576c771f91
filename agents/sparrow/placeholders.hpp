// The placeholders of a master: those in the queues of peers, and the answers to those that asked
// for a task, so that a repeated question gets the same answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/flat.hpp"
#include "core/peer/time.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

// The peer that has a placeholder, and the placeholder's number there.
using Spot = std::pair<PeerId, std::uint64_t>;
struct SpotHash {
  std::size_t operator()(const Spot& spot) const {
    return std::hash<std::uint64_t>()(spot.second * 0x9e3779b97f4a7c15 + spot.first.value);
  }
};

class Placeholders {
 public:
  // The task for which a placeholder was deposited.
  struct Outstanding {
    TaskId task;
    Resources needs;
    core::Time since{};
  };
  // The answer to a placeholder: a task, or none where it was cancelled. `told`: its Deposited
  // came.
  struct Answer {
    std::optional<TaskId> task;
    core::Time at{};
    bool told = false;
  };

  Placeholders(PeerId self, const Options& options, overlay::FailureDetector& detector)
      : self_(self), options_(options), detector_(detector) {}

  // Notes a deposited placeholder, and watches its peer. False for a known one, which is counted
  // once.
  bool deposited(Spot spot, const Outstanding& outstanding);
  // The placeholder at that spot; nullptr if it is not known.
  [[nodiscard]] const Outstanding* find(Spot spot) const;
  [[nodiscard]] const Answer* answer(Spot spot) const;
  void answered(Spot spot, std::optional<TaskId> task, core::Time now);
  void forget(Spot spot);
  void forget_answer(Spot spot) { answers_.erase(spot); }
  void forget_answers_before(core::Time time);
  void bury(PeerId executor);

  // A number that is equal for all tasks that one placeholder may serve.
  [[nodiscard]] std::uint32_t group(TaskId task) const {
    return options_.binding == Binding::per_master ? 0 : task.job;
  }
  [[nodiscard]] std::size_t standing(std::uint32_t group) const;
  // Whether some placeholder of the group has room for `needs`.
  [[nodiscard]] bool fits(std::uint32_t group, const Resources& needs) const;
  [[nodiscard]] std::vector<Spot> of(std::uint32_t group) const;
  [[nodiscard]] const core::FlatMap<Spot, Outstanding>& all() const { return all_; }

 private:
  using All = core::FlatMap<Spot, Outstanding>;
  All::iterator erase(All::iterator found);

  PeerId self_;
  const Options& options_;
  overlay::FailureDetector& detector_;
  All all_;
  std::unordered_map<Spot, Answer, SpotHash> answers_;  // many, because they are kept a while
  core::FlatMap<std::uint32_t, std::size_t> standing_;  // by group
};

}  // namespace rhizome::agents::sparrow
