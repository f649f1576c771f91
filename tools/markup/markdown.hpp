// Tables and texts in Markdown, for commands with `-o markdown` and for pages of results.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rhizome::tools {

// One row of a table. A "|" in a cell is escaped, and a line break becomes a space: both would end
// the cell or the table.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

// The row of names and the rule below it: the first columns, so many, are set to the left, and the
// others to the right.
[[nodiscard]] std::string markdown_head(const std::vector<std::string>& names,
                                        std::size_t left = std::string::npos);

// A text that comes from elsewhere, such as a label: it makes no link, picture, code, tag or
// emphasis. A "|" is left to markdown_row.
[[nodiscard]] std::string markdown_text(const std::string& text);

// A paragraph of such text, and one that begins with "Warning:".
[[nodiscard]] std::string markdown_paragraph(const std::string& text);
[[nodiscard]] std::string markdown_warning(const std::string& text);

}  // namespace rhizome::tools
