// What belongs to each enumerator of an enumeration, as a list in their order.
#pragma once

#include <cstddef>

namespace rhizome::scenarios {

// Without one for each enumerator of E, up to `last`, nothing compiles.
template <class E, class T, std::size_t N>
[[nodiscard]] constexpr T one_of(E enumerator, const T (&list)[N]) {
  static_assert(N == static_cast<std::size_t>(E::last) + 1);
  return list[static_cast<std::size_t>(enumerator)];
}

}  // namespace rhizome::scenarios
