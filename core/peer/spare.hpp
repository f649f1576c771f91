// Memory that every peer needs at times and few need at once: a peer that no longer needs it gives
// it back, and the next one finds it in a cache.
#pragma once

#include <cstddef>

namespace rhizome::core {

// For a container that was large and is nearly empty; invalidates its references and iterators.
template <class Container>
void release_spare(Container& items) {
  constexpr std::size_t few = 32;
  constexpr std::size_t times = 8;
  if (items.capacity() > few && items.size() < items.capacity() / times) items.shrink_to_fit();
}

}  // namespace rhizome::core
