// The findings of a benchmark, as a table for people and as JSON for scripts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rhizome::bench {

// Medians of one system at one size.
struct Row {
  std::string part;  // threads, virtual
  std::uint32_t peers = 0;
  std::string system;
  double rate = 0;  // messages per second of real time
  double slowest = 0;
  double fastest = 0;
  double startup = 0;  // seconds
  double bytes_per_peer = 0;
};

// A bound on a rate, or on the ratio of two.
struct Goal {
  std::string text;
  double least = 0;
  double measured = 0;
  [[nodiscard]] bool met() const { return measured >= least; }
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
