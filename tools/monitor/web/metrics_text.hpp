// The state of a run as OpenMetrics 1.0.0, for Prometheus and similar systems: totals over all
// peers, because a series for each of thousands of peers would overload them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "scenarios/live/messages.hpp"
#include "scenarios/live/state.hpp"

namespace rhizome::tools {

inline constexpr const char* metrics_type =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";

// Counts the moves in trees and groups of a run, by reason, from frames.
class MoveCounts {
 public:
  void take(const scenarios::live::State& state, const scenarios::live::FactSlice& facts,
            const scenarios::live::Welcome& welcome);
  [[nodiscard]] const std::map<std::string, std::uint64_t>& by_reason() const { return counts_; }

 private:
  std::uint32_t run_ = 0;  // from 1; 0: none
  std::map<std::string, std::uint64_t> counts_;
};

// Figures of a monitor, besides those of the run.
struct MonitorFigures {
  std::map<std::string, std::uint64_t> moves{};
  std::uint64_t process = 0;  // of the run; 0: it has ended
  bool recorded = false;      // it is seen again, and not followed
  std::size_t clients = 0;    // clients with the page open
  double processor_seconds = 0;
  const scenarios::live::Plan* plan = nullptr;   // of the run, once it is known
  const scenarios::live::RunEnd* end = nullptr;  // once it has been judged
};

[[nodiscard]] std::string metrics_text(const scenarios::live::State& state,
                                       const MonitorFigures& monitor);

// The height of the tree or the groups: the number of links from the deepest peer to the top.
[[nodiscard]] std::size_t tree_height(const std::vector<scenarios::live::Row>& rows);

}  // namespace rhizome::tools
