// Texts with pieces missing, twice, changed or replaced, for tests of readers of foreign texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::test {

// Damages the text one to four times; `words` are inserted.
inline std::string damaged(std::string text, core::Rng& rng,
                           const std::vector<std::string>& words) {
  for (std::uint64_t i = rng.below(4) + 1; i > 0 && !text.empty(); --i) {
    const std::size_t at = rng.below(text.size());
    const std::size_t length = rng.below(std::min<std::size_t>(40, text.size() - at)) + 1;
    switch (rng.below(6)) {
      case 0:
        text[at] = static_cast<char>(rng.below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, words[rng.below(words.size())]);
        break;
      case 4:
        text.replace(at, length, words[rng.below(words.size())]);
        break;
      default:
        text.insert(rng.below(text.size()), text.substr(at, length));
    }
  }
  return text;
}

}  // namespace rhizome::test
