// The story of one task in one run, in order of time: where it was handed in, who began it, whose
// crash cut it off, who handed it out again and why, and which results came; and of a task that is
// found by a locator where it went, who forwarded what looked for it, and what it was given.
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
  core::PeerId peer{};  // at which it happened
  std::string event;    // in a word or two: "started", "cut off", "crash"
  std::string text;     // in a sentence that begins with the peer
};

struct Story {
  Identity identity;
  TaskOutcome task;
  bool steered = false;  // whether somebody steered the run by hand
  std::vector<StoryEvent> events;
  std::optional<Chain> chain{};         // where it was and who looked for it, under a locator
  std::optional<std::uint32_t> hops{};  // from peer to peer, where the run has noted them
};

// The faults in it are those of peers that the facts about the task name, from its submission until
// its completion. Throws std::out_of_range, which says what there is, where the run has no such
// task.
[[nodiscard]] Story story_of(const Outcome& outcome, agents::TaskId task);

[[nodiscard]] std::string text_of(const Story& story);
[[nodiscard]] std::string markdown_of(const Story& story);
[[nodiscard]] std::string json_of(const Story& story);

}  // namespace rhizome::tools
