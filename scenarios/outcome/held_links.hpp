// The links of an overlay at its last measurement.
#pragma once

#include <vector>

#include "overlay/graph.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

struct HeldLinks {
  std::vector<overlay::Edge> links{};  // from the peer that holds it to the peer that it knows
  std::vector<bool> living;            // by peer, at the last measurement
};

// Without links where no overlay was measured. A peer that restarted counts with the links that it
// held last.
[[nodiscard]] HeldLinks held_links(const Outcome& outcome);

}  // namespace rhizome::scenarios
