// Access lines: how slow they may be in a scenario.
#pragma once

#include <vector>

#include "core/peer/rate.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The rate times the factor, at least 1 bit/s; 0, which is unlimited, stays 0.
[[nodiscard]] core::Rate scaled(core::Rate rate, double factor);

// The slowest line that a peer may have up, and the slowest down, but for those without limit.
[[nodiscard]] std::vector<core::Rate> slowest_lines(const NetworkSection& network,
                                                    const PeersSection& peers);

}  // namespace rhizome::scenarios
