#include "scenarios/outcome/outcome.hpp"

#include "scenarios/text/option_path.hpp"

namespace rhizome::scenarios {

std::string cell_text(const Identity& identity) {
  std::string text;
  for (const auto& [key, value] : identity.cell) {
    if (!text.empty()) text += ' ';
    text.append(shown_key(key)).append("=").append(value);
  }
  return text;
}

std::string_view shown_key(std::string_view path) { return option_path(path).value_or(path); }

}  // namespace rhizome::scenarios
