// The messages between shares about the run as a whole, not about its peers. Share 0 coordinates:
// all shares report to it, and it tells all shares.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/engine/census.hpp"
#include "core/engine/engine.hpp"

namespace rhizome::core {

// How a run has ended, and when. With a failure no share has a result.
struct End {
  Ending ending = Ending::limit;
  Time at{};
  std::string failure{};
  friend bool operator==(const End&, const End&) = default;
};

namespace control {

// To share 0: the sender's peers have been built; or why they could not be.
struct Built {
  std::string failure;
};
// To all: time zero, on the steady clock of share 0.
struct Start {
  Duration origin{0};
};
// To share 0: the sender's tally, whenever it changes. A share numbers its tallies, those in
// answers included, so that the younger of two is known in whatever order they arrive.
struct Told {
  Tally tally;
  std::uint64_t number = 0;
};
// To all: asks whether their tallies still hold. An answer names the question.
struct Question {
  std::uint64_t number = 0;
};
struct Answer {
  std::uint64_t question = 0;
  Tally tally;
  std::uint64_t number = 0;  // among its share's tallies
};
// To all: the run is not over, though some shares have answered that question with yes.
struct GoOn {
  std::uint64_t question = 0;
};
// To share 0: the sender was asked to stop, or has failed.
struct Halt {
  std::string failure;
};
// To all: how the run has ended.
struct Ended {
  End end;
};
// To each other: the sender puts nothing more into the gateway, and has put so much for the
// receiver.
struct Closed {
  std::uint64_t handed_over = 0;
};
// To each other: a message beside the run, for a user who watches or steers it (aside.hpp).
struct Aside {
  Bytes said;
};

using Message = OneOf<Built, Start, Told, Question, Answer, GoOn, Halt, Ended, Closed, Aside>;

// More than any message of a share has.
inline constexpr CodecLimits limits{
    .bytes = std::size_t{2} << 20U, .elements = std::size_t{1} << 16U, .depth = 16};

// The position of the message in the set, then its fields.
[[nodiscard]] Bytes encode(const Message& message);
// Nothing where the bytes cannot be read.
[[nodiscard]] std::optional<Message> decode(std::span<const std::byte> bytes);

}  // namespace control

}  // namespace rhizome::core
