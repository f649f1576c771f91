// Tables in Markdown, for commands with `-o markdown` and for pages of results.
#pragma once

#include <string>
#include <vector>

namespace rhizome::tools {

// One row of a table. A "|" in a cell is escaped, and a line break becomes a space: both would end
// the cell or the table.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

// The row of names and the rule below it: all columns are set to the left.
[[nodiscard]] std::string markdown_head(const std::vector<std::string>& names);

}  // namespace rhizome::tools
