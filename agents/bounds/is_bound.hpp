// Which schedulers are bounds: they know everything beforehand and send no messages, so they cannot
// be deployed, and no comparison names one as its winner.
#pragma once

#include <string_view>

namespace rhizome::agents::bounds {

// Whether the scheduler of that name is a bound; false for an unknown name.
[[nodiscard]] constexpr bool is_bound(std::string_view scheduler) {
  return scheduler == "omniscient" || scheduler == "heft";
}

}  // namespace rhizome::agents::bounds
