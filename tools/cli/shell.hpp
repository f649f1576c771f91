// Words of a command line as a shell takes them.
#pragma once

#include <string>

namespace rhizome::tools {

// The word in quotes, whatever it contains. What fish and csh read between single quotes, which
// shells of POSIX do not, stands outside of them.
[[nodiscard]] std::string quoted(const std::string& word);
// The word in quotes, if it needs them.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace rhizome::tools
