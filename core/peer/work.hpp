// Work: what occupies a peer's processor. Either emulated, a duration and nothing else, or a real
// computation that an engine runs beside the peer.
#pragma once

#include <cstdint>

#include "core/peer/ids.hpp"
#include "core/peer/recipe.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

struct Work {
  Recipe recipe{};
  // Emulated: how long it takes, the peer's speed already reckoned in. Else how long virtual time
  // lets it take; real threads take as long as they take.
  Duration duration{0};
  std::uint64_t seed = 0;  // of what is left to chance in a real computation
};

// The end of a piece of work.
struct WorkDone {
  WorkId id{};
  Duration took{0};          // emulated time from start to end
  Duration served{0};        // of it, what it was given at full rate: less where it was paced
  std::uint64_t result = 0;  // what the computation says of its outcome; 0 for emulated work
};

}  // namespace rhizome::core
