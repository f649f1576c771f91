// Where a result goes that the user may want in a file.
#pragma once

#include <string>
#include <string_view>

namespace rhizome::tools {

// Whether that word names standard output: "-".
[[nodiscard]] bool is_output(std::string_view file);

// The whole text into the file, or none of it; to standard output where it names that. Throws
// scenarios::CannotWrite.
void write_result(const std::string& file, std::string_view text);

}  // namespace rhizome::tools
