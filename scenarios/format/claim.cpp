#include "scenarios/format/claim.hpp"

#include <cmath>
#include <span>
#include <sstream>
#include <vector>

#include "core/peer/number_text.hpp"

namespace rhizome::scenarios {

namespace {

// "label.metric"; the metric has no dot in it.
std::optional<Operand> operand(const std::string& word) {
  const std::size_t dot = word.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == word.size()) return {};
  return Operand{word.substr(0, dot), word.substr(dot + 1)};
}

std::optional<double> number(const std::string& word) {
  const auto value = core::parse_number<double>(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<Claim::Relation> relation(const std::string& word) {
  if (word == "<") return Claim::Relation::less;
  if (word == "<=") return Claim::Relation::at_most;
  if (word == ">") return Claim::Relation::greater;
  if (word == ">=") return Claim::Relation::at_least;
  return {};
}

using Words = std::span<const std::string>;

// Takes "1.1 *" from the front.
bool take_factor(Words& words, Claim& claim) {
  if (words.size() < 2 || words[1] != "*") return true;
  const auto factor = number(words[0]);
  if (!factor || *factor <= 0) return false;
  claim.factor = *factor;
  words = words.subspan(2);
  return true;
}

// Takes "+ 0.5" or "- 0.5" from the back.
bool take_margin(Words& words, Claim& claim) {
  if (words.size() < 3) return true;
  const std::string& sign = words[words.size() - 2];
  const auto margin = number(words.back());
  if (!margin || (sign != "+" && sign != "-")) return false;
  claim.margin = sign == "+" ? *margin : -*margin;
  words = words.first(words.size() - 2);
  return true;
}

bool read_right(Words words, Claim& claim) {
  if (const auto value = words.size() == 1 ? number(words.front()) : std::nullopt) {
    claim.right = *value;
    return true;
  }
  if (!take_factor(words, claim) || !take_margin(words, claim) || words.size() != 1) return false;
  const auto right = operand(words.front());
  if (right) claim.right = *right;
  return right.has_value();
}

}  // namespace

std::optional<Claim> parse_claim(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  if (words.size() < 3) return {};
  const auto left = operand(words[0]);
  const auto related = relation(words[1]);
  if (!left || !related) return {};
  Claim claim{.left = *left, .relation = *related, .right = 0.0, .text = text};
  if (!read_right(Words(words).subspan(2), claim)) return {};
  return claim;
}

}  // namespace rhizome::scenarios
