// Words of a command line as a shell takes them.
#pragma once

#include <string>

namespace rhizome::tools {

// In quotes, whatever it holds.
[[nodiscard]] std::string quoted(const std::string& word);
// In quotes where it needs them.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace rhizome::tools
