// Finds the valid name that a user probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

// The name closest to `word` by edit distance, if at most two letters or a third of the letters
// differ; else empty.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> names);

// "; did you mean \"...\"?" for the nearest name. When none is near, the list of all names, or the
// command that lists them if there are more than 50.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> names,
                                     std::string_view command = {});

}  // namespace rhizome::scenarios
