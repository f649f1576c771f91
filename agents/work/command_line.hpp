// The words of a command line, with places for a task's numbers.
#pragma once

#include <cstdint>
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

}  // namespace rhizome::agents
