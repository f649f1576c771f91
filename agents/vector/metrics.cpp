#include "agents/vector/metrics.hpp"

#include <array>

namespace rhizome::agents::vectors {

namespace {

constexpr std::array table{
    Metric{"queue", "tasks that wait",
           [](const Vitals& v, double) { return static_cast<double>(v.queue); }},
    Metric{"benchmark", "seconds that the last measurement took",
           [](const Vitals& v, double) { return core::seconds(v.benchmark); }},
    Metric{"history", "mean seconds of the tasks done so far",
           [](const Vitals& v, double) { return core::seconds(v.history); }},
    Metric{"latency", "seconds to the peer, one way", [](const Vitals&, double l) { return l; }},
    Metric{"memory", "free memory, in units of a standard peer's",
           [](const Vitals& v, double) { return v.memory; }},
};

}  // namespace

std::span<const Metric> metrics() { return table; }

std::optional<std::size_t> find_metric(std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name) return i;
  return {};
}

}  // namespace rhizome::agents::vectors
