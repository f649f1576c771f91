// The metrics by which vector scheduling compares peers, as a table: a new one costs a line there,
// and a field of PeerMetrics where it rests on something that peers did not tell before (Peterson,
// dissertation, sections 3.3, 4.1 and 7).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

// What a peer tells its neighbours of itself.
struct PeerMetrics {
  std::uint32_t queue = 0;      // tasks that wait, without those that run
  core::Duration left{0};       // expected for the running tasks; 0 while the peer is idle
  core::Duration benchmark{0};  // duration of its last measurement
  core::Duration history{0};    // mean time of the tasks that it has done
  double memory = 0;            // free, in units of a standard peer's
};

struct PeerMetric {
  std::string_view name;     // in a scenario
  std::string_view meaning;  // half a sentence, with the unit
  // The metric of a peer with these vitals, at that distance in seconds.
  double (*of)(const PeerMetrics& vitals, double latency);
};

[[nodiscard]] std::span<const PeerMetric> metrics();
// Its position in the table.
[[nodiscard]] std::optional<std::size_t> find_metric(std::string_view name);

}  // namespace rhizome::agents::vectors
