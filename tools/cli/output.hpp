// Standard output, where results go.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "scenarios/text/whole_file.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// Prints text of any number of lines; control characters in it are escaped (plain_text.hpp).
void print_text(std::string_view text);
// The same at once, with the end of its line, for readers that wait for it.
void print_line(std::string_view line);

// Where a result goes that the user may want in a file.
// Whether that word names standard output: "-".
[[nodiscard]] bool is_output(std::string_view file);

// Whether the file name was chosen by the user with that option, or is implied.
[[nodiscard]] scenarios::WholeFile::Name name_by(const Arguments& arguments,
                                                 const std::string& option);

// The folder in which the file of a result stands, behind all links; any for standard output.
// Throws scenarios::CannotWrite.
[[nodiscard]] std::filesystem::path folder_of_result(const std::string& file);

// Writes the whole text into the file, or nothing; to standard output if `file` names it. `rights`:
// of a new file. Throws scenarios::CannotWrite.
void write_result(const std::string& file, std::string_view text,
                  scenarios::WholeFile::Name name = scenarios::WholeFile::Name::chosen,
                  mode_t rights = 0644);

}  // namespace rhizome::tools
