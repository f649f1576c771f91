#include "scenarios/format/claim.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

namespace rhizome::scenarios {

namespace {

// "label.metric"; the metric has no dot in it.
std::optional<Operand> operand(const std::string& word) {
  const std::size_t dot = word.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == word.size()) return {};
  return Operand{word.substr(0, dot), word.substr(dot + 1)};
}

std::optional<double> number(const std::string& word) {
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || rest != end || !std::isfinite(value)) return {};
  return value;
}

}  // namespace

std::optional<Claim> parse_claim(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  if (words.size() != 3 || (words[1] != "<" && words[1] != ">")) return {};
  const auto left = operand(words[0]);
  if (!left) return {};
  Claim claim{.left = *left,
              .relation = words[1] == "<" ? Claim::Relation::less : Claim::Relation::greater,
              .right = 0.0,
              .text = text};
  if (const auto value = number(words[2])) {
    claim.right = *value;
  } else if (const auto right = operand(words[2])) {
    claim.right = *right;
  } else {
    return {};
  }
  return claim;
}

}  // namespace rhizome::scenarios
