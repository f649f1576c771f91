// What a server has done for the jobs of a span of time: read from its store, also while it serves.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace rhizome::tools {

using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

// From a moment until another, which is not in it.
struct TimeSpan {
  Moment from;
  Moment until;
};

// Jobs count that were submitted within the span, with all that has become of them by now, whether
// within the span or after it.
struct ServedSpan {
  std::array<std::uint64_t, 3> jobs{};  // by state
  std::uint64_t tasks = 0;
  std::uint64_t done = 0;             // tasks
  std::uint64_t wrong = 0;            // of these, with a wrong result
  std::vector<double> responses{};    // of jobs that are done, in order of submission, seconds
  std::vector<double> completions{};  // of tasks, seconds from the begin of the span, ascending
};

// Throws scenarios::UnreadableFile if there is no such store, or it cannot be read.
[[nodiscard]] ServedSpan served_in(const std::filesystem::path& store, const TimeSpan& span);

}  // namespace rhizome::tools
