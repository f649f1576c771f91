// Seeded random streams with distributions of our own, because those of the standard library differ
// between implementations and a run must replay to the byte everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace rhizome::core {

// xoshiro256** (Blackman and Vigna, 2018), seeded through splitmix64. A value: copies replay.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  // An independent stream for every (seed, repetition, peer, ...) and every purpose.
  [[nodiscard]] static Rng derive(std::initializer_list<std::uint64_t> path,
                                  std::string_view purpose);

  [[nodiscard]] std::uint64_t bits();
  // Uniform in [0, bound); bound must be positive. Without bias (Lemire 2019).
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
  // Uniform in [low, high], both included.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high);
  // Uniform in [0, 1) with 53 bits.
  [[nodiscard]] double unit();
  [[nodiscard]] double uniform(double low, double high);
  [[nodiscard]] bool chance(double probability);
  [[nodiscard]] double exponential(double mean);
  [[nodiscard]] double normal();  // mean 0, standard deviation 1
  // exp(mu + sigma·normal): median exp(mu).
  [[nodiscard]] double lognormal(double mu, double sigma);

  // Fisher–Yates in place.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

// A stable 64-bit mix of the words and the text: the seed behind Rng::derive.
[[nodiscard]] std::uint64_t derive_seed(std::initializer_list<std::uint64_t> path,
                                        std::string_view purpose);

}  // namespace rhizome::core
