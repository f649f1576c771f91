// What the program of a peer has written to standard error, as far as the run is kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/peer/ids.hpp"
#include "scenarios/live/frame.hpp"

namespace rhizome::tools {

// The last lines, in plain text; none where there are none, or where no directory is named.
[[nodiscard]] std::vector<std::string> last_said(const std::filesystem::path& directory,
                                                 const scenarios::live::RunTitle& title,
                                                 core::PeerId peer);

}  // namespace rhizome::tools
