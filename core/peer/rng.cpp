#include "core/peer/rng.hpp"

#include <cmath>
#include <numbers>

namespace rhizome::core {

namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace

Rng::Rng(std::uint64_t seed) : state_{} {
  for (auto& word : state_) word = splitmix(seed);
}

Rng Rng::derive(std::initializer_list<std::uint64_t> path, std::string_view purpose) {
  return Rng(derive_seed(path, purpose));
}

std::uint64_t Rng::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(bits()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold)
      product = static_cast<Wide>(bits()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64U);
}

std::int64_t Rng::between(std::int64_t low, std::int64_t high) {
  const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  return low + static_cast<std::int64_t>(below(width));
}

double Rng::unit() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

double Rng::uniform(double low, double high) { return low + (high - low) * unit(); }

bool Rng::chance(double probability) { return unit() < probability; }

double Rng::exponential(double mean) { return -mean * std::log1p(-unit()); }

// Box–Muller, one of the pair: the second would be state that a copy could forget.
double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-unit()));
  return radius * std::cos(2.0 * std::numbers::pi * unit());
}

double Rng::lognormal(double mu, double sigma) { return std::exp(mu + sigma * normal()); }

std::uint64_t derive_seed(std::initializer_list<std::uint64_t> path, std::string_view purpose) {
  std::uint64_t state = 0x52'68'69'7a'6f'6d'65ULL;
  const auto absorb = [&state](std::uint64_t word) {
    state ^= word;
    state = splitmix(state);
  };
  for (const std::uint64_t word : path) absorb(word);
  for (const char c : purpose) absorb(static_cast<unsigned char>(c));
  return state;
}

}  // namespace rhizome::core
