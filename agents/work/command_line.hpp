// The words of a command line in which a task's numbers may stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::agents {

// What stands between blanks. Between quotes, single or double, blanks belong to a word, and no
// character means anything else. Nothing where a quote is not closed.
[[nodiscard]] std::optional<std::vector<std::string>> words_in(std::string_view line);

// The text with {job} and {task} replaced by the two numbers of a task, as `subject_of` makes them
// one.
[[nodiscard]] std::string filled_in(std::string_view text, std::uint64_t subject);

// What stands in braces and is neither of them; "" where nothing is.
[[nodiscard]] std::string unknown_place(std::string_view text);

}  // namespace rhizome::agents
