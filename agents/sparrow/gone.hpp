// What the failure detector says, as the family understands it.
#pragma once

#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

// Nothing is left there of what it had of ours: it is dead, or a restarted peer has forgotten us.
[[nodiscard]] inline bool gone(const overlay::Liveness& news) {
  return news.kind == overlay::Liveness::Kind::dead || news.restarted;
}

}  // namespace rhizome::agents::sparrow
