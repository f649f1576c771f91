#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

std::string cell_text(const Identity& identity) {
  std::string text;
  for (const auto& [key, value] : identity.cell) {
    if (!text.empty()) text += ' ';
    text.append(shown_key(key)).append("=").append(value);
  }
  return text;
}

std::string_view shown_key(std::string_view path) {
  constexpr std::string_view prefix = "scheduler.";
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

}  // namespace rhizome::scenarios
