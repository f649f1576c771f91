// Work that counts the words, lines and bytes of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/work/kind.hpp"
#include "core/work/throttle.hpp"

namespace rhizome::agents {

struct Counts {
  std::uint64_t words = 0;  // what stands between blanks, as wc counts in the locale C
  std::uint64_t lines = 0;  // ends of lines
  std::uint64_t bytes = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

// A file that is larger is not counted: a few bytes may name terabytes.
inline constexpr std::uint64_t most_counted_bytes = 1ULL << 30U;

// Nothing if the file cannot be read or is larger than most_counted_bytes, or if links lead to it
// and it may have none: its name is then absolute. Runs as fast as the throttle allows; once
// cancelled, it soon returns nothing.
[[nodiscard]] std::optional<Counts> count_words(const std::string& file, core::Throttle& throttle,
                                                bool links = true);

// Tasks carry the counts that were taken when the world was made, by which theirs are judged.
[[nodiscard]] core::WorkKind word_count_work();

}  // namespace rhizome::agents
