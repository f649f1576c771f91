// Whether a program can be started.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::agents {

// A file that this user may execute.
[[nodiscard]] bool is_executable(const std::filesystem::path& file);

// Whether execvp finds the program from that directory: a path, or a name that is looked for in
// PATH.
[[nodiscard]] bool finds_program(const std::string& program,
                                 const std::filesystem::path& directory);

}  // namespace rhizome::agents
