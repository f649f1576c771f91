// Enumerators as the words of the results store, and back.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/engine/engine.hpp"
#include "core/peer/message.hpp"
#include "core/peer/packet.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// The enumerator of E, from 0 to `last`, that is called `word`.
template <class E>
[[nodiscard]] E enumerator(std::string_view word, E last) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i)
    if (name_of(static_cast<E>(i)) == word) return static_cast<E>(i);
  throw DatabaseError("the word \"" + std::string(word) + "\" has no meaning here");
}

}  // namespace rhizome::scenarios
