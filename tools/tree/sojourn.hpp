// How long peers stood at which depth of the tree.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// The share of the run that a peer spent at each depth; no depth: outside of the tree. Sums to 1.
using Sojourns = std::map<std::optional<std::uint32_t>, double>;

// Sojourns by peer.
[[nodiscard]] std::vector<Sojourns> sojourns_of(const Outcome& outcome);

}  // namespace rhizome::tools
