// The words of a command line in which a task's numbers may stand, and whether its program can be
// started.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::agents {

// The words between blanks. Within quotes, single or double, blanks belong to a word, and no other
// character is special. Nothing for an unclosed quote.
[[nodiscard]] std::optional<std::vector<std::string>> words_in(std::string_view line);

// The text with {job} and {task} replaced by the two numbers of a task, as `subject_of` makes them
// one.
[[nodiscard]] std::string filled_in(std::string_view text, std::uint64_t subject);

// A name in braces that is neither of these; "" if there is none.
[[nodiscard]] std::string unknown_place(std::string_view text);

// A file that this user may execute.
[[nodiscard]] bool is_executable(const std::filesystem::path& file);

// Where execvp finds the program from that directory: a path, or a name that is looked for in PATH.
// Nothing if it finds none.
[[nodiscard]] std::optional<std::filesystem::path> program_place(
    const std::string& program, const std::filesystem::path& directory);

}  // namespace rhizome::agents
