// The trees or groups of a run as a monitor sees them: for each peer its children, its depth and
// the number of peers below it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/peer/ids.hpp"
#include "scenarios/live/frame.hpp"

namespace rhizome::scenarios::live {

struct Forest {
  static constexpr std::uint32_t outside = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::vector<core::PeerId>> children{};  // by peer, ascending
  std::vector<std::uint32_t> depth{};                 // by peer; outside: in no tree
  std::vector<std::uint32_t> below{};                 // by peer: the number of peers below it
  std::vector<core::PeerId> roots{};                  // in descending order of the peers below them
  std::vector<std::uint32_t> levels{};                // by depth: the number of peers

  [[nodiscard]] std::uint32_t members() const;
};

// Roots are peers without a parent or leader that have peers below them. A peer that is in no tree,
// or in a cycle, is outside. A crashed peer may still be above peers that have not noticed its
// crash.
[[nodiscard]] Forest forest_of(const std::vector<Row>& rows);

}  // namespace rhizome::scenarios::live
