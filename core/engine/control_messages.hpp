// What shares tell each other about the run as a whole, not about its peers. Share 0 coordinates:
// it is told by all and tells all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "core/engine/census.hpp"
#include "core/engine/engine.hpp"

namespace rhizome::core {

// How a run has ended, and when. With a failure nobody has a result.
struct End {
  Ending ending = Ending::limit;
  Time at{};
  std::string failure{};
  friend bool operator==(const End&, const End&) = default;
};

namespace control {

// To share 0: my peers have been built; or why they could not be.
struct Built {
  std::string failure;
};
// To all: time zero, on the steady clock of share 0.
struct Start {
  Duration origin{0};
};
// To share 0: what I have come to, whenever that changes. A share numbers its tallies, answers
// included, so that the younger of two is known however they arrive.
struct Told {
  Tally tally;
  std::uint64_t number = 0;
};
// To all: is it still so? An answer names the question.
struct Question {
  std::uint64_t number = 0;
};
struct Answer {
  std::uint64_t question = 0;
  Tally tally;
  std::uint64_t number = 0;  // among its share's tallies
};
// To all: the run is not over, though some have answered that question with yes.
struct GoOn {
  std::uint64_t question = 0;
};
// To share 0: I was asked to stop, or have failed.
struct Halt {
  std::string failure;
};
// To all.
struct Ended {
  End end;
};
// To each other: I put nothing more into the gateway, and so much was for you.
struct Closed {
  std::uint64_t handed_over = 0;
};
// To each other: what is said beside all that, for whoever watches or steers (aside.hpp).
struct Aside {
  Bytes said;
};

using Message = OneOf<Built, Start, Told, Question, Answer, GoOn, Halt, Ended, Closed, Aside>;

// More than any message has that a share makes.
inline constexpr CodecLimits limits{
    .bytes = std::size_t{2} << 20U, .elements = std::size_t{1} << 16U, .depth = 16};

// Its position in the set, then its fields.
[[nodiscard]] Bytes encode(const Message& message);
// Nothing where it cannot be read.
[[nodiscard]] std::optional<Message> decode(std::span<const std::byte> bytes);

}  // namespace control

}  // namespace rhizome::core
