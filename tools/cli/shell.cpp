#include "tools/cli/shell.hpp"

#include <string_view>

namespace rhizome::tools {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' || c == '\\' || c == '!' ? std::string("'\\") + c + "'" : std::string(1, c);
  return text + "'";
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  const bool bare = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
  return bare ? word : quoted(word);
}

}  // namespace rhizome::tools
