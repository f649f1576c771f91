// The story of a task or of a peer out of a recording: all that frames told of it, from first to
// last, also what comes after the time that is shown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/live/messages.hpp"

namespace rhizome::tools {

// Of the run that the story names; kinds of facts are by number. Throws live::BadRecording.
[[nodiscard]] scenarios::live::Facts recorded_story(const std::filesystem::path& file,
                                                    const scenarios::live::Story& story,
                                                    const std::vector<std::string>& kinds);

}  // namespace rhizome::tools
