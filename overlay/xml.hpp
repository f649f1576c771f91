// How much memory a document of XML takes once it is parsed: a file of strangers may consist of the
// shortest elements, each of which takes twenty times its length.
#pragma once

#include <algorithm>
#include <string_view>

namespace rhizome::overlay {

inline constexpr const char* too_many_parts =
    "the file has more than 5,000,000 elements, or as many pairs of attributes";

// Whether parsing takes more than some 400 MB: pugixml takes 80 bytes for an element and 40 for an
// attribute. The tags of an element that ends by a tag of its own count as two.
[[nodiscard]] inline bool has_too_many_parts(std::string_view text) {
  constexpr auto most = 10'000'000;
  return 2 * std::ranges::count(text, '<') + std::ranges::count(text, '=') > most;
}

}  // namespace rhizome::overlay
