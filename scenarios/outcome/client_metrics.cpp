// Metrics of services that programs of users keep, as their clients see them.
#include <algorithm>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

// The latencies in seconds.
std::vector<double> stable_latencies(const Outcome& outcome) {
  std::vector<double> latencies;
  for (const auto& noted : outcome.facts.of<agents::program::ValueStable>())
    latencies.push_back(core::seconds(noted.fact.latency));
  return latencies;
}

double longest(const Outcome& outcome) {
  const std::vector<double> latencies = stable_latencies(outcome);
  return latencies.empty() ? not_applicable : *std::ranges::max_element(latencies);
}

}  // namespace

std::vector<Metric> client_metrics() {
  const auto percentile_of = [](double share) {
    return [share](const Outcome& outcome) { return percentile(stable_latencies(outcome), share); };
  };
  return {
      {"stable_latency", "stable latency, median", "s",
       "Time from the acknowledgement of a broadcast value until the beginning of the last read "
       "that did not return it; 0 if every later read returned it; the median over values. As in "
       "Jepsen's set checker only reads of clients show it, so it is coarse if reads are rare.",
       false, Better::less, percentile_of(0.5)},
      {"stable_latency_p95", "  95th percentile", "s", "The 95th percentile of the same.", false,
       Better::less, percentile_of(0.95), "stable latency, 95th percentile"},
      {"stable_latency_max", "  longest", "s", "The longest of the same.", false, Better::less,
       longest, "stable latency, longest"},
  };
}

}  // namespace rhizome::scenarios
