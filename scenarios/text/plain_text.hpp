// Text from elsewhere, made fit to be shown: the one function that names, labels, facts and texts
// of files, stores, scenarios and other processes pass before they meet a terminal, a page or a
// table. A label must not move a terminal's cursor, and a name must not look like two lines.
#pragma once

#include <string>
#include <string_view>

namespace rhizome::scenarios {

// The text with an escape, as in C, for each control character (C0, DEL and C1), each that changes
// the direction of writing, and each byte that is no UTF-8: "\x1b", "\n", "\u202e".
[[nodiscard]] std::string plain_text(std::string_view text);
// The same for text of several lines: their ends, and tabs, stay.
[[nodiscard]] std::string plain_lines(std::string_view text);
// The text up to the end of its first line: the reason of a failure, without a program's last
// words.
[[nodiscard]] inline std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace rhizome::scenarios
