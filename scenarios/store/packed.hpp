// An outcome on its way to another process: the results store that it alone would make.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<std::byte> packed(const Outcome& outcome);
// The outcome without its wall time, which a store does not hold. Throws UnreadableFile.
[[nodiscard]] Outcome unpacked(std::span<const std::byte> bytes);

}  // namespace rhizome::scenarios
