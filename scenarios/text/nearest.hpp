// The valid name that somebody probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

// The name closest to `word` by edit distance, if two letters or a third of them differ at the
// most; else empty.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> names);

// "; did you mean \"...\"?" for the nearest name, or the list of all names when none is near.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> names);

}  // namespace rhizome::scenarios
