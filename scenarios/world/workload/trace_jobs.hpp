// The jobs of a trace in order of submission, simultaneous ones in order of appearance, from lines
// that need not be in order, with a window of them in memory.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scenarios/text/lines.hpp"
#include "scenarios/world/workload/trace.hpp"

namespace rhizome::scenarios {

struct TraceTasks {
  double run = 0;
  double estimate = 0;
  double memory = 0;
  std::uint32_t cpus = 1;
  std::uint32_t count = 1;  // number of equal ones
  double submitted = 0;
  core::Recipe recipe{};
};
struct TraceJob {
  double submitted = 0;  // with its first task
  std::vector<TraceTasks> tasks;
  std::size_t line = 1;  // its first
};

class TraceJobs {
 public:
  TraceJobs(const std::string& file, std::unique_ptr<TraceFormat> format, std::size_t window)
      : lines_(file), format_(std::move(format)), window_(window) {}

  // The next job; none at the end of the file.
  [[nodiscard]] std::optional<TraceJob> next();
  [[nodiscard]] const TraceFormat& format() const { return *format_; }

 private:
  using Place = std::pair<double, std::uint64_t>;  // when it was submitted, which of the file
  struct HeldJob {
    TraceJob job;
    std::optional<std::int64_t> id;
  };
  using Window = std::map<Place, HeldJob>;

  bool read_line();
  void take(const TraceLine& line);
  void check_order(const TraceLine& line) const;
  // The place of this line's job, which is made if there is none.
  Window::iterator place_of(const TraceLine& line);
  void move(Window::iterator& at, double submitted);
  [[nodiscard]] bool first_is_complete() const;

  Lines lines_;
  std::unique_ptr<TraceFormat> format_;
  std::size_t window_;
  Window held_;
  std::size_t lines_held_ = 0;
  std::unordered_map<std::int64_t, Place> places_;  // of held jobs that have an id
  std::unordered_set<std::int64_t> gone_;           // ids: a number for each job, to know it again
  std::optional<Place> latest_;                     // where the last line went,
  bool joined_ = false;                             // to others of its job
  double last_submitted_ = -std::numeric_limits<double>::infinity();  // of the jobs taken
  std::uint64_t jobs_ = 0;
  bool ended_ = false;
};

}  // namespace rhizome::scenarios
