// Fingerprints of data that a history leaves out, because the replay produces them anew.
#pragma once

#include <cstdint>
#include <span>

#include "core/peer/effect.hpp"

namespace rhizome::core {

// A hash of all effects of an event, of 32 bits.
[[nodiscard]] std::uint32_t print_of(const Effects& effects);

// A hash of a piece of a file, to detect damage: over its kind, its host, and its bytes.
[[nodiscard]] std::uint64_t print_of(std::uint64_t kind, std::uint64_t host,
                                     std::span<const std::byte> bytes);

}  // namespace rhizome::core
