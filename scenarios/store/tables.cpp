#include "scenarios/store/tables.hpp"

#include <charconv>

namespace rhizome::scenarios {

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc{} || end != text.data() + text.size())
    throw DatabaseError("\"" + text + "\" is no seed");
  return seed;
}

std::uint32_t from_one(std::uint32_t repetition) {
  if (repetition == 0) throw DatabaseError("repetitions count from 1, and there is one of 0");
  return repetition - 1;
}

}  // namespace rhizome::scenarios
