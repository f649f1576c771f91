// The options of a locator, with their defaults and sources.
#pragma once

#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::agents::locator {

// How a task that moves is found: by the addresses that it leaves behind, at one peer that all ask,
// at the peer that a ring of hashes names for it, by telling all that it knows of each move, or by
// asking everybody.
enum class Kind : std::uint8_t { forwarders, registry, ring, eager, broadcast, last = broadcast };
// When forwarders go: never; once their task needs nobody any more; once all that were to pass have
// passed; or as soon as either is so.
enum class Cleanup : std::uint8_t { none, at_start, by_count, both, last = both };

struct Options {
  Kind kind = Kind::forwarders;
  Cleanup cleanup = Cleanup::both;
  // Whether who passed a datum on is told where it was delivered. More messages, shorter chains.
  bool compression = true;
  // How many of the peers where a task was are told of each move, beside the one that it comes
  // from. More survives more crashes, and costs as many messages.
  std::uint32_t inform_last_k = 0;
  // From how many bytes on a task is looked for before its data are sent; 0: never. Less carries
  // fewer bytes along chains, and costs two messages.
  std::uint64_t find_first = 0;
  // Repetitions of a datum after which everybody is asked; more is slower after a crash, and asks
  // less in vain.
  std::uint32_t search_after = 3;
  // Repetitions after which what waits for a task that nobody knows is given up; its origin repeats
  // it.
  std::uint32_t park_for = 6;
};

}  // namespace rhizome::agents::locator
