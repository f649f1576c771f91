// The metrics of access lines, where a bandwidth limits somebody.
#include <cmath>

#include "scenarios/outcome/line_facts.hpp"
#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

// Of the peer whose direction was busy for the largest share of the run.
double busiest(const Outcome& outcome, std::string_view used) {
  double most = not_applicable;
  for_line_facts(outcome, [&](const FactOutcome& fact) {
    if (fact.name == used) most = std::fmax(most, fact.value);  // which prefers a number
  });
  const double run = core::seconds(outcome.ended);
  return run > 0 ? most / run : not_applicable;
}

// What a packet waits on average in both queues together, its own passage apart.
double mean_queueing(const Outcome& outcome) {
  double waited = 0;
  double sent = 0;
  for_line_facts(outcome, [&](const FactOutcome& fact) {
    if (fact.name == core::uplink_waited || fact.name == core::downlink_waited)
      waited += fact.value;
    if (fact.name == core::uplink_used) sent += static_cast<double>(fact.subject);
  });
  return sent > 0 ? waited / sent : not_applicable;
}

double longest_queueing(const Outcome& outcome) {
  bool lines = false;
  for_line_facts(outcome, [&lines](const FactOutcome&) { lines = true; });
  return lines ? core::seconds(longest_line_wait(outcome)) : not_applicable;
}

}  // namespace

std::vector<Metric> network_metrics() {
  return {
      {"uplink_busy_top1", "busiest uplink", "",
       "Share of the run during which the busiest uplink of a peer was sending.", false,
       Better::neither, [](const Outcome& o) { return busiest(o, core::uplink_used); }},
      {"downlink_busy_top1", "busiest downlink", "",
       "Share of the run during which the busiest downlink of a peer was receiving.", false,
       Better::neither, [](const Outcome& o) { return busiest(o, core::downlink_used); }},
      {"queueing_delay_mean", "mean queueing delay", "s",
       "What a packet waited for others at both access lines together.", false, Better::less,
       mean_queueing},
      {"queueing_delay_max", "longest queueing delay", "s",
       "The longest wait of a packet for others at one access line.", false, Better::less,
       longest_queueing},
  };
}

}  // namespace rhizome::scenarios
