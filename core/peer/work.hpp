// Work: what occupies a peer's processor. It is either emulated, a duration and nothing else, or a
// real computation that an engine runs beside the peer.
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
  // Emulated work: how long it takes, at the peer's speed. Real work: how long virtual time lets it
  // take; real threads take as long as they take.
  Duration duration{0};
  std::uint64_t seed = 0;  // of random choices in a real computation
};

// The result of a real computation, with a verdict. Emulated work has no result.
struct Result {
  enum class Verdict : std::uint8_t { none, right, wrong };
  std::string value{};  // in words, at most the longest: a checksum, an exit status
  Verdict verdict = Verdict::none;
  static constexpr std::size_t longest = 200;

  friend bool operator==(const Result&, const Result&) = default;
};

// A value with a verdict.
[[nodiscard]] inline Result judged(std::string value, bool right) {
  value.resize(std::min(value.size(), Result::longest));
  return {std::move(value), right ? Result::Verdict::right : Result::Verdict::wrong};
}

// The end of a piece of work.
struct WorkDone {
  WorkId id{};
  Duration took{0};    // emulated time from start to end
  Duration served{0};  // the part of it that was served at full rate: less where the work was paced
  Result result{};
};

}  // namespace rhizome::core
