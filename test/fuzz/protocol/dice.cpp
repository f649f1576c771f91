#include "test/fuzz/protocol/dice.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "scenarios/text/duration_text.hpp"

namespace rhizome::fuzz {

double Dice::spread(double low, double high) {
  return std::exp(rng_.uniform(std::log(low), std::log(high)));
}

const std::string& Dice::one_of(std::span<const std::string> words) {
  return words[rng_.below(words.size())];
}

std::string toml(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::string toml_duration(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g", seconds);
  const double rounded = std::strtod(text.data(), nullptr);
  return in_quotes(scenarios::duration_text(core::from_seconds(rounded)));
}

std::string in_quotes(const std::string& word) { return "\"" + word + "\""; }

}  // namespace rhizome::fuzz
