// Which schedulers are bounds: they know everything beforehand and send no messages, so they cannot
// be deployed, and no comparison names one as its winner.
#pragma once

#include <string_view>

namespace rhizome::agents::bounds {

// By its word in a scenario; false for an unknown word.
[[nodiscard]] constexpr bool is_bound(std::string_view scheduler) {
  return scheduler == "omniscient" || scheduler == "heft";
}

}  // namespace rhizome::agents::bounds
