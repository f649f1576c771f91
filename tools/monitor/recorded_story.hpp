// The story of a task or a peer from a recording: all facts about it in all frames, including those
// after the time shown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/live/messages.hpp"

namespace rhizome::tools {

// Takes the facts of the run that the story names. `kinds` has the kinds of facts by number. Throws
// live::BadRecording.
[[nodiscard]] scenarios::live::FoundFacts recorded_story(const std::filesystem::path& file,
                                                         const scenarios::live::Story& story,
                                                         const std::vector<std::string>& kinds);

}  // namespace rhizome::tools
