// The story of one task in one run, in order of time: where it was submitted, which peers began it,
// which crashes cut it off, which peers handed it out again and why, and which results arrived. For
// a task that a locator finds, also where the task went, which peers forwarded searches for it, and
// which data it received.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/fate/chain.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct StoryEvent {
  Time at{};
  core::PeerId peer{};  // where it happened
  std::string event;    // one or two words: "started", "crash"
  std::string text;     // a sentence that begins with the peer
};

struct TaskHistory {
  Identity identity;
  TaskOutcome task;
  bool steered = false;      // whether the run was steered by hand
  bool result_known = true;  // whether the run recorded if the task was completed
  std::vector<StoryEvent> events;
  std::optional<Chain> chain{};         // under a locator: where the task was, and searches for it
  std::optional<std::uint32_t> hops{};  // number of hand-overs between peers, if the run noted them
};

// Includes the faults of all peers that the facts about the task name, from its submission to its
// completion. Throws std::out_of_range if the run has no such task; the message says which tasks it
// has.
[[nodiscard]] TaskHistory story_of(const Outcome& outcome, agents::TaskId task);

[[nodiscard]] std::string text_of(const TaskHistory& story);
[[nodiscard]] std::string markdown_of(const TaskHistory& story);
[[nodiscard]] std::string json_of(const TaskHistory& story);

}  // namespace rhizome::tools
