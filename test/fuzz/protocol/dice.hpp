// Random values as TOML writes them, with few digits, so that a failure is easy to read.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/peer/rng.hpp"

namespace rhizome::fuzz {

class Dice {
 public:
  explicit Dice(core::Rng rng) : rng_(rng) {}

  [[nodiscard]] bool chance(double probability) { return rng_.chance(probability); }
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    return rng_.between(low, high);
  }
  [[nodiscard]] double uniform(double low, double high) { return rng_.uniform(low, high); }
  // As likely between 1 and 2 as between 10 and 20.
  [[nodiscard]] double spread(double low, double high);
  [[nodiscard]] const std::string& one_of(std::span<const std::string> words);
  template <class T>
  void shuffle(std::span<T> items) {
    rng_.shuffle(items);
  }

 private:
  core::Rng rng_;
};

[[nodiscard]] std::string toml(double value);             // three digits
[[nodiscard]] std::string toml_duration(double seconds);  // "250ms", two digits
[[nodiscard]] std::string in_quotes(const std::string& word);

}  // namespace rhizome::fuzz
