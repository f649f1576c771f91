// What the readers of traces share. A format says what a line means; the rest is here: the tasks of
// a job are brought together, jobs are put in order of submission, cut to the window of the
// scenario and scaled, with no more of the file in memory than a window of its lines.
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

// What a line of a trace says: a task, or several alike, of a job.
struct TraceLine {
  std::optional<std::int64_t>
      job{};             // whose other tasks may stand elsewhere; none: a job by itself
  double submitted = 0;  // seconds
  double run = 0;        // seconds
  double estimate = 0;   // of that, in seconds; 0: the run time itself
  double memory = 0;     // in the unit of the peers'
  std::uint32_t cpus = 1;
  std::uint32_t tasks = 1;
  core::Recipe recipe{};  // what they compute
};

class TraceFormat {
 public:
  TraceFormat() = default;
  virtual ~TraceFormat() = default;
  TraceFormat(const TraceFormat&) = delete;
  TraceFormat& operator=(const TraceFormat&) = delete;

  // Nothing for a comment and for what is left out; throws InputError about what is malformed.
  [[nodiscard]] virtual std::optional<TraceLine> read(const LineSource& lines,
                                                      std::string_view line) = 0;
  // All lines have been read: throws InputError about those that were not refused one by one.
  virtual void end() const {}
  // Whether times count from the start of the run, and not from the first submission.
  [[nodiscard]] virtual bool absolute() const { return false; }
  // What was left out or guessed so far, in sentences.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

// How many tasks of a trace may be in memory at a time: so many lines a job, or a task of one, may
// stand behind its place. A trace of fewer may be in any order.
inline constexpr std::size_t trace_window = std::size_t{1} << 18U;

struct TraceReading {
  std::size_t window = trace_window;
  bool apart = false;  // tasks arrive when they were submitted, and not all with the first
};

// The jobs of section.file. Throws UnreadableFile; and, with the jobs, InputError for a malformed
// line, for one that stands too far behind its place, and when no job is left.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_trace(const WorkloadSection& section,
                                                           std::unique_ptr<TraceFormat> format,
                                                           const TraceReading& reading = {});

}  // namespace rhizome::scenarios
