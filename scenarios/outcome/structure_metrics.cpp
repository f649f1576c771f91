// The metrics of a run's structure: who stands where, and what that costs.
#include <algorithm>
#include <map>
#include <set>

#include "agents/facts.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/tree/tree.hpp"

namespace rhizome::scenarios {

namespace {

namespace facts = agents::facts;
using core::PeerId;

std::vector<std::uint64_t> job_burdens(const Outcome& outcome) {
  std::vector<std::uint64_t> burdens;
  for (const PeerOutcome& peer : outcome.peers) {
    std::uint64_t burden = 0;
    for (const core::BurdenRow& row : peer.burdens)
      if (row.message_class == core::MessageClass::job)
        burden += row.sent.messages + row.received.messages;
    burdens.push_back(burden);
  }
  return burdens;
}

// 1 is the most loaded.
std::size_t rank_of(const std::vector<std::uint64_t>& burdens, PeerId peer) {
  const std::uint64_t own = burdens[peer.value];
  return 1 + static_cast<std::size_t>(std::count_if(burdens.begin(), burdens.end(),
                                                    [own](auto burden) { return burden > own; }));
}

double source_rank(const Outcome& outcome) {
  const PeerId source = source_of(outcome);
  return source == core::nobody ? 0 : static_cast<double>(rank_of(job_burdens(outcome), source));
}

// Of the peers that ever led: how many are among as many of the most loaded.
double leaders_on_top(const Outcome& outcome) {
  std::set<PeerId> leaders;
  for (const FactOutcome& fact : outcome.facts)
    if (fact.name == facts::group_changed && fact.other == fact.peer) leaders.insert(fact.peer);
  leaders.erase(source_of(outcome));
  if (leaders.empty()) return 0;
  const std::vector<std::uint64_t> burdens = job_burdens(outcome);
  const auto high = std::count_if(leaders.begin(), leaders.end(), [&](PeerId leader) {
    return rank_of(burdens, leader) <= leaders.size();
  });
  return static_cast<double>(high) / static_cast<double>(leaders.size());
}

// Over the peers that ran anything: from the first submission to their first start.
double mean_first_start(const Outcome& outcome) {
  std::map<PeerId, Time> first;
  Time submitted = Time::max();
  for (const FactOutcome& fact : outcome.facts) {
    if (fact.name == facts::task_submitted) submitted = std::min(submitted, fact.at);
    if (fact.name == facts::task_started) first.try_emplace(fact.peer, fact.at);
  }
  double sum = 0;
  for (const auto& [peer, at] : first) sum += core::seconds(at - submitted);
  return first.empty() ? 0 : sum / static_cast<double>(first.size());
}

double mean_depth(const Outcome& outcome) {
  const Tree tree = tree_at(outcome, Time::max());
  double sum = 0;
  for (const auto& depth : tree.depth) sum += depth.value_or(0);
  const std::size_t members = tree.members();
  return members == 0 ? 0 : sum / static_cast<double>(members);
}

double height(const Outcome& outcome) { return tree_at(outcome, Time::max()).height(); }

double correlation(const Outcome& outcome) {
  return speed_depth_correlation(outcome, tree_at(outcome, Time::max())).value_or(0);
}

}  // namespace

std::vector<Metric> structure_metrics() {
  return {
      {"mean_first_start", "mean first start", "s",
       "Over the peers that ran a task: from the first submission to their first start.", false,
       Better::less, mean_first_start},
      {"mean_depth", "mean depth", "",
       "Of a peer in the tree (queue, leader, worker) as it stood last.", false, Better::neither,
       mean_depth},
      {"height", "height", "", "The largest depth in the tree as it stood last.", false,
       Better::neither, height},
      {"speed_depth_correlation", "speed and depth", "",
       "Spearman's correlation in the tree as it stood last; below 0: fast peers near the root.",
       false, Better::less, correlation},
      {"source_rank", "rank of the source", "",
       "Of the peer where jobs arrive, by job messages: 1 is the most loaded.", false,
       Better::neither, source_rank},
      {"leaders_on_top", "leaders on top", "",
       "Share of the leaders that are among as many of the most loaded peers.", false,
       Better::neither, leaders_on_top},
  };
}

}  // namespace rhizome::scenarios
