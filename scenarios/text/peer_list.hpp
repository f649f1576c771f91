// Peers as people list them: "3,4,9..12".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/ids.hpp"

namespace rhizome::scenarios {

// Numbers and ranges, which include both ends, in any order. Nothing for any other text, and for
// more peers than there can be.
[[nodiscard]] std::optional<std::vector<core::PeerId>> parse_peers(std::string_view text);

// The shortest text, ascending, each once.
[[nodiscard]] std::string peers_text(std::span<const core::PeerId> peers);

}  // namespace rhizome::scenarios
