#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

std::string cell_text(const Identity& identity) {
  std::string text;
  for (const auto& [key, value] : identity.cell) {
    if (!text.empty()) text += ' ';
    text.append(key).append("=").append(value);
  }
  return text;
}

}  // namespace rhizome::scenarios
