// What the failure detector says, as the family understands it.
#pragma once

#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

// Whether that peer has lost our tasks and placeholders: it is dead, or has restarted.
[[nodiscard]] inline bool gone(const overlay::Liveness& news) {
  return news.kind == overlay::Liveness::Kind::dead || news.restarted;
}

}  // namespace rhizome::agents::sparrow
