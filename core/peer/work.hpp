// Work: what occupies a peer's processor. Either emulated, a duration and nothing else, or a real
// computation that an engine runs beside the peer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/peer/ids.hpp"
#include "core/peer/recipe.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

struct Work {
  Recipe recipe{};
  // Emulated: how long it takes, the peer's speed already reckoned in. Else how long virtual time
  // lets it take; real threads take as long as they take.
  Duration duration{0};
  std::uint64_t seed = 0;  // of what is left to chance in a real computation
};

// What a real computation came to, judged by what it must come to. Emulated work has no result.
struct Result {
  enum class Verdict : std::uint8_t { none, right, wrong };
  std::string value{};  // in words, at most the longest: a checksum, an exit status
  Verdict verdict = Verdict::none;
  static constexpr std::size_t longest = 200;

  friend bool operator==(const Result&, const Result&) = default;
};

// The verdict on a value.
[[nodiscard]] inline Result judged(std::string value, bool right) {
  value.resize(std::min(value.size(), Result::longest));
  return {std::move(value), right ? Result::Verdict::right : Result::Verdict::wrong};
}

// The end of a piece of work.
struct WorkDone {
  WorkId id{};
  Duration took{0};    // emulated time from start to end
  Duration served{0};  // of it, what it was given at full rate: less where it was paced
  Result result{};
};

}  // namespace rhizome::core
