#include "scenarios/text/shortest.hpp"

#include <array>
#include <charconv>

namespace rhizome::scenarios {

std::string shortest(double value) {
  std::array<char, 32> text{};  // 24 at most
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

}  // namespace rhizome::scenarios
