#include "agents/vector/metrics.hpp"

#include <array>

namespace rhizome::agents::vectors {

namespace {

constexpr std::array table{
    PeerMetric{"queue", "tasks that wait",
               [](const PeerMetrics& v, double) { return static_cast<double>(v.queue); }},
    PeerMetric{"benchmark", "seconds that the last measurement took",
               [](const PeerMetrics& v, double) { return core::seconds(v.benchmark); }},
    PeerMetric{"history", "mean seconds of the tasks done so far",
               [](const PeerMetrics& v, double) { return core::seconds(v.history); }},
    PeerMetric{"latency", "seconds to the peer, one way",
               [](const PeerMetrics&, double l) { return l; }},
    PeerMetric{"memory", "free memory, in units of a standard peer's",
               [](const PeerMetrics& v, double) { return v.memory; }},
};

}  // namespace

std::span<const PeerMetric> metrics() { return table; }

std::optional<std::size_t> find_metric(std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name) return i;
  return {};
}

}  // namespace rhizome::agents::vectors
