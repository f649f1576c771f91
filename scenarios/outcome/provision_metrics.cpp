// The metrics of provisioning: the cost and the utilisation of held nodes, their changes, and the
// waiting times of other users of the cluster.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

using agents::provision::IndexRead;
using agents::provision::NodeDied;
using agents::provision::NodeDrains;
using agents::provision::NodeReleased;
using agents::provision::NodeReserved;
using agents::provision::OtherJobBegan;

// An interval in which a node was held.
struct Hold {
  core::PeerId node;
  Time from{};
  Time until{};
};

// The holds of nodes: from the reservation until the release, at most until the last task is done,
// when all nodes are released.
std::vector<Hold> holds(const Outcome& outcome) {
  const Time end = makespan_of(outcome).end;
  std::map<core::PeerId, Time> open;
  std::vector<std::pair<Time, core::PeerId>> releases;
  std::vector<Hold> all;
  for (const auto& noted : outcome.facts.of<NodeReleased>())
    releases.emplace_back(noted.at, noted.fact.node);
  auto release = releases.begin();
  const auto close = [&](core::PeerId node, Time at) {
    const auto held = open.extract(node);
    if (held && held.mapped() < end) all.push_back({node, held.mapped(), std::min(at, end)});
  };
  for (const auto& noted : outcome.facts.of<NodeReserved>()) {
    for (; release != releases.end() && release->first <= noted.at; ++release)
      close(release->second, release->first);
    open[noted.fact.node] = noted.at;
  }
  for (; release != releases.end(); ++release) close(release->second, release->first);
  while (!open.empty()) close(open.begin()->first, end);
  return all;
}

double node_seconds(const Outcome& outcome) {
  if (outcome.facts.of<NodeReserved>().empty()) return not_applicable;
  double sum = 0;
  for (const Hold& hold : holds(outcome)) sum += core::seconds(hold.until - hold.from);
  return sum;
}

// The fraction of the time of all held slots in which they executed tasks.
double node_utilisation(const Outcome& outcome) {
  double held = 0;
  std::set<core::PeerId> nodes;
  for (const Hold& hold : holds(outcome)) {
    held += core::seconds(hold.until - hold.from) * outcome.peers.at(hold.node.value).slots;
    nodes.insert(hold.node);
  }
  if (held <= 0) return not_applicable;
  double busy = 0;
  for (const core::PeerId node : nodes) busy += core::seconds(outcome.peers.at(node.value).busy);
  return busy / held;
}

double most_nodes(const Outcome& outcome) {
  std::vector<std::pair<Time, int>> changes;
  for (const Hold& hold : holds(outcome)) {
    changes.emplace_back(hold.from, 1);
    changes.emplace_back(hold.until, -1);
  }
  if (changes.empty()) return not_applicable;
  std::ranges::sort(changes);
  int now = 0;
  int most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now += change);
  return most;
}

template <class F>
double count_of(const Outcome& outcome) {
  if (outcome.facts.of<NodeReserved>().empty()) return not_applicable;
  return static_cast<double>(outcome.facts.of<F>().size());
}

double others_wait(const Outcome& outcome) {
  std::vector<double> waits;
  for (const auto& noted : outcome.facts.of<OtherJobBegan>())
    waits.push_back(core::seconds(noted.fact.waited));
  return mean(waits);
}

// A figure of the last decision.
Metric decided(const char* name, const char* title, const char* meaning,
               double (*of)(const IndexRead&)) {
  return {name,
          title,
          "",
          "In the last decision: " + std::string(meaning),
          false,
          Better::neither,
          [of](const Outcome& outcome) {
            const auto& read = outcome.facts.of<IndexRead>();
            return read.empty() ? not_applicable : of(read.back().fact);
          }};
}

}  // namespace

std::vector<Metric> provision_metrics() {
  return {
      {"node_seconds", "node-seconds", "s",
       "The sum of the times for which nodes were held, from reservation to release or until the "
       "last task was done: the cost of a provisioned run.",
       false, Better::less, node_seconds},
      {"node_utilisation", "use of nodes", "",
       "Share of the slot time of held nodes in which tasks were executed.", false, Better::more,
       node_utilisation},
      {"most_nodes", "most nodes", "",
       "The largest number of nodes that were held at the same time.", false, Better::neither,
       most_nodes},
      {"node_reservations", "reservations", "",
       "How often a node was reserved, including those at the start.", false, Better::less,
       count_of<NodeReserved>},
      {"node_drains", "drained nodes", "", "How often a node was asked to leave.", false,
       Better::neither, count_of<NodeDrains>},
      {"node_deaths", "deaths of nodes", "",
       "Times that the worker of a real node died and was replaced.", false, Better::less,
       count_of<NodeDied>},
      {"others_wait", "wait of other users", "s",
       "Time from the submission of a job of another user of the cluster until it began; the mean "
       "over those that began.",
       false, Better::less, others_wait},
      decided("last_goal", "goal", "the nodes that the remaining work needs.",
              [](const IndexRead& read) { return read.goal; }),
      decided("last_demand", "demand", "the goal minus the reserved nodes.",
              [](const IndexRead& read) { return read.demand; }),
      decided("last_queue", "queue",
              "the nodes that other users wait for, times their waiting time.",
              [](const IndexRead& read) { return read.queue; }),
      decided("last_index", "index", "the demand minus the queue.",
              [](const IndexRead& read) { return read.index; }),
      decided("last_change", "change", "the nodes that were added; negative: released.",
              [](const IndexRead& read) { return read.change; }),
  };
}

}  // namespace rhizome::scenarios
