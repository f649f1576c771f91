// Text from elsewhere, made fit to be shown: a label must not move a terminal's cursor.
#pragma once

#include <string>
#include <string_view>

namespace rhizome::scenarios::live {

// Without control characters (C0, DEL and C1) and without what changes the direction of writing;
// what is no UTF-8 becomes '?', byte by byte.
[[nodiscard]] std::string plain_text(std::string_view text);

}  // namespace rhizome::scenarios::live
