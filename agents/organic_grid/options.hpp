// The options of the Organic Grid, with their defaults and sources.
#pragma once

#include <cstdint>

#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"

namespace rhizome::agents::grid {

// What a child is judged by.
enum class ChildMetric : std::uint8_t { bursts, executions };

struct Options {
  std::uint32_t max_children = 5;
  std::uint32_t widest = 0;
  std::uint32_t max_potential = 5;
  std::uint32_t max_former = 5;
  std::uint32_t burst = 3;
  std::uint32_t metric_window = 2;
  std::uint32_t ancestors = 4;
  std::uint32_t former_windows = 3;
  ChildMetric metric = ChildMetric::bursts;
  bool promotion = true;
  bool only_faster = false;
  std::uint32_t steal_more = 1;
  bool prefetch = true;
  std::uint32_t max_window = 4;
  std::uint32_t roots = 1;
  std::uint32_t group = 0;
  std::uint32_t ahead = 0;
  Duration timeout = std::chrono::seconds(2);
  Duration ask_again = std::chrono::seconds(1);
  double doubt = 1;
  Duration give_up{0};

  // Results after which a child's metric is complete; also the time between promotions.
  [[nodiscard]] std::uint32_t full_window() const { return burst * (metric_window + 1); }
  [[nodiscard]] Duration heartbeat() const { return timeout / 4; }
  // How long a peer without news of a root goes on.
  [[nodiscard]] Duration hope() const { return give_up.count() > 0 ? give_up : 5 * timeout; }
};

[[nodiscard]] core::Settings<Options> settings();

// A silent parent is noticed at the next heartbeat after the time-out. An orphan asks its ancestors
// and neighbours one by one, and each that is dead costs it a time-out; news keeps it hoping.
[[nodiscard]] inline Patience patience(const Options& options) {
  return {.notice = options.timeout + 2 * options.heartbeat(), .mend = 20 * options.timeout};
}

// The same with groups, for the hybrid of this grid and Air Traffic Control.
[[nodiscard]] core::Settings<Options> hybrid_settings();
[[nodiscard]] Options hybrid_defaults();

}  // namespace rhizome::agents::grid
