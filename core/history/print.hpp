// Fingerprints of what a history does not hold, because the replay produces it anew.
#pragma once

#include <cstdint>
#include <span>

#include "core/peer/effect.hpp"

namespace rhizome::core {

// Of all that a peer wants after an event: one in four thousand millions of others has the same.
[[nodiscard]] std::uint32_t print_of(const Effects& effects);

// Of a piece of a file, to tell damage: its kind, whose it is, and its bytes.
[[nodiscard]] std::uint64_t print_of(std::uint64_t kind, std::uint64_t host,
                                     std::span<const std::byte> bytes);

}  // namespace rhizome::core
