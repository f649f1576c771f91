// The shared part of all readers of traces. A format parses a line. The code here groups the tasks
// of a job, sorts jobs by submission, cuts them to the window of the scenario and scales them. It
// keeps at most a window of lines in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/recipe.hpp"
#include "scenarios/text/lines.hpp"
#include "scenarios/world/sections.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

// One line of a trace: a task of a job, or several equal ones.
struct TraceLine {
  // Other lines may have tasks of the same job. None: the line is a job of its own.
  std::optional<std::int64_t> job{};
  double submitted = 0;  // seconds
  double run = 0;        // seconds
  double estimate = 0;   // of `run`, in seconds; 0: the run time itself
  double memory = 0;     // in the same unit as the memory of peers
  std::uint32_t cpus = 1;
  std::uint32_t tasks = 1;
  core::Recipe recipe{};  // of the tasks
};

class TraceFormat {
 public:
  TraceFormat() = default;
  virtual ~TraceFormat() = default;
  TraceFormat(const TraceFormat&) = delete;
  TraceFormat& operator=(const TraceFormat&) = delete;

  // Nothing for a comment and for a line that is left out. Throws InputError for a malformed line.
  [[nodiscard]] virtual std::optional<TraceLine> read(const LineSource& lines,
                                                      std::string_view line) = 0;
  // Called after the last line. Throws InputError about malformed lines that were not refused one
  // by one.
  virtual void end() const {}
  // Whether times count from the start of the run, and not from the first submission.
  [[nodiscard]] virtual bool absolute() const { return false; }
  // Lines left out and guesses made so far, in sentences.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

// How many lines of a trace may be in memory at a time. A job, or a task of a job, may come at most
// so many lines after its place in the order. A trace of fewer lines may be in any order.
inline constexpr std::size_t trace_window = std::size_t{1} << 18U;

struct TraceReading {
  std::size_t window = trace_window;
  // Each task arrives when it was submitted, and not with the first task of its job.
  bool apart = false;
  // The most tasks, of one job and of all that are taken.
  std::uint64_t tasks_of_job = 1'000'000;
  std::uint64_t tasks = 50'000'000;
};

// The jobs of section.file. Throws UnreadableFile; reading the jobs throws InputError for a
// malformed line, for a line too far behind its place, and when no job is left.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_trace(const WorkloadSection& section,
                                                           std::unique_ptr<TraceFormat> format,
                                                           const TraceReading& reading = {});

}  // namespace rhizome::scenarios
