// The trees or groups of a run as a monitor sees them: who is above whom, how deep, and with how
// many below.
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
  std::vector<std::uint32_t> below{};                 // by peer: all that are under it
  std::vector<core::PeerId> roots{};                  // those with the most below first
  std::vector<std::uint32_t> levels{};                // how many are how deep

  [[nodiscard]] std::uint32_t members() const;
};

// Roots are peers under nobody that have somebody below; whoever is in no tree, or goes round in a
// circle, is outside. Who is down may still be above others that have not noticed.
[[nodiscard]] Forest forest_of(const std::vector<Row>& rows);

}  // namespace rhizome::scenarios::live
