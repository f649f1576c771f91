// What a run says of files, the same for all its peers.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::agents::files {

// No file is larger: a list of the digests of its chunks fits into a message.
inline constexpr std::uint64_t largest_file = std::uint64_t{1} << 30U;
inline constexpr std::uint32_t smallest_chunk = 64U << 10U;
inline constexpr std::uint32_t largest_chunk = 512U << 10U;
// The codec refuses larger messages than 1 MiB.
inline constexpr std::uint32_t default_chunk = 256U << 10U;

struct Options {
  // Whether any task has files. Without, peers have no file stager, and nothing costs anything.
  bool used = false;
  // Bytes of a chunk; the last chunk of a file may be shorter. More costs fewer messages, and more
  // where one is lost.
  std::uint32_t chunk = default_chunk;
  // Bytes of files that a peer keeps although no task at it needs them; 0: all.
  std::uint64_t cache = 0;
  // Bytes that every task leaves; 0: nothing.
  std::uint64_t output = 0;
  // The largest file of the run; messages about larger ones are not believed.
  std::uint64_t largest = largest_file;
  // How long is waited before asking again, at first; never more than six times that. In between it
  // follows how long answers took, and doubles where none comes (RFC 6298, section 5.5). More where
  // chunks may queue before slow lines.
  core::Duration patience = std::chrono::seconds(10);
  [[nodiscard]] core::Duration most_patience() const { return 6 * patience; }
};

// The most chunks that a transfer asks for ahead. It begins with one and adds one for each that
// comes, as TCP does (RFC 5681, section 3.1), so that many simultaneous transfers do not fill a
// line. More shares a line less fairly while transfers begin, and uses a line with a long delay
// better.
inline constexpr std::uint32_t widest_window = 4;
// No peer asks again sooner.
inline constexpr core::Duration least_patience = std::chrono::milliseconds(500);
// Tries at the longest patience; an output that only its maker has is given up after so many
// without an answer.
inline constexpr std::uint32_t most_tries = 8;

}  // namespace rhizome::agents::files
