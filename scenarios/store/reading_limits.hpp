// The memory and time that a command may take to read stores of strangers. A small store can be
// made so that its tables and charts would fill every memory. Where such a way is known, it is
// refused by name; these limits stand behind all of them.
#pragma once

#include <cstdint>
#include <string>

namespace rhizome::scenarios {

// Bytes of memory, beyond what the process has when the limits begin, and seconds of one processor;
// and more for each byte, or MiB, of the stores that are read.
inline constexpr std::uint64_t reading_memory = std::uint64_t{512} << 20U;
inline constexpr std::uint64_t reading_memory_per_byte = 40;
inline constexpr std::uint64_t reading_seconds = 60;
inline constexpr std::uint64_t reading_seconds_per_mib = 10;

struct ReadingLimits {
  std::uint64_t memory = reading_memory;
  std::uint64_t seconds = reading_seconds;
};
// Those of a look at a scenario, which may describe a world of a million peers.
inline constexpr ReadingLimits scenario_limits{.memory = std::uint64_t{2} << 30U, .seconds = 120};

// From now on the limits hold for this process. Beyond the memory std::bad_alloc is thrown;
// where that cannot be, and beyond the time, the process ends with a message and the status
// `status`.
void limit_reading(int status, const ReadingLimits& first = {});
// A store of so many bytes is read now. Nothing happens if there are no limits.
void extend_reading_limits(std::uint64_t bytes);
// The limit of memory, such as "552 MiB"; empty if there is none.
[[nodiscard]] std::string reading_memory_limit();

}  // namespace rhizome::scenarios
