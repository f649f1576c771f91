// How a peer is asked for its view, and what it answers: bodies of messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/ids.hpp"

namespace rhizome::agents::program {

inline constexpr std::string_view view_question = R"({"type":"view"})";

// The answer to a line that asks for a view; empty where the line asks for nothing of the kind.
[[nodiscard]] std::string view_answer(std::string_view line, std::span<const core::PeerId> view);

// Throws WireError where the answer names no peers, or one of them twice.
[[nodiscard]] std::vector<core::PeerId> view_in(std::string_view answer, std::uint32_t peers);

}  // namespace rhizome::agents::program
