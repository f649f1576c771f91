// The findings of a benchmark, as a table for people and as JSON for scripts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rhizome::bench {

// Medians of one system at one size.
struct Row {
  std::string part;
  std::uint32_t peers = 0;
  std::string system;
  double rate = 0;  // messages or shuffles per second of real time
  double slowest = 0;
  double fastest = 0;
  double startup = 0;  // seconds
  double seconds = 0;  // start-up apart
  double bytes_per_peer = 0;
};

// A bound on something measured, from below or from above.
struct Goal {
  enum class Bound : std::uint8_t { at_least, at_most };
  std::string text;
  Bound bound = Bound::at_least;
  double limit = 0;
  double measured = 0;
  [[nodiscard]] bool met() const {
    return bound == Bound::at_least ? measured >= limit : measured <= limit;
  }
  [[nodiscard]] const char* words() const {
    return bound == Bound::at_least ? "at least" : "at most";
  }
};

struct Report {
  double seconds_per_run = 0;
  unsigned repetitions = 0;
  std::vector<Row> rows;
  std::vector<Goal> goals;
  std::vector<std::string> remarks;
};

[[nodiscard]] std::string render_table(const Report& report);
[[nodiscard]] std::string render_json(const Report& report);

}  // namespace rhizome::bench
