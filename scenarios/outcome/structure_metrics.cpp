// The metrics of a run's structure: the places of peers in it, and their cost.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/outcome/tree.hpp"

namespace rhizome::scenarios {

namespace {

using core::PeerId;

std::vector<std::uint64_t> job_burdens(const Outcome& outcome) {
  return burdens_of(outcome, core::MessageClass::job, &core::Burden::messages);
}

// 1 is the most loaded.
std::size_t rank_of(const std::vector<std::uint64_t>& burdens, PeerId peer) {
  const std::uint64_t own = burdens[peer.value];
  return 1 + static_cast<std::size_t>(
                 std::ranges::count_if(burdens, [own](auto burden) { return burden > own; }));
}

double source_rank(const Outcome& outcome) {
  const PeerId source = source_of(outcome);
  return source == core::no_peer ? not_applicable
                                 : static_cast<double>(rank_of(job_burdens(outcome), source));
}

// Of the n peers that ever led: how many are among the n most loaded peers.
double leaders_on_top(const Outcome& outcome) {
  std::set<PeerId> leaders;
  for (const auto& noted : outcome.facts.of<agents::GroupChanged>())
    if (noted.fact.leader == noted.peer) leaders.insert(noted.peer);
  leaders.erase(source_of(outcome));
  if (leaders.empty()) return not_applicable;
  const std::vector<std::uint64_t> burdens = job_burdens(outcome);
  std::vector<std::uint64_t> most = burdens;
  const auto last = most.begin() + static_cast<std::ptrdiff_t>(leaders.size()) - 1;
  std::ranges::nth_element(most, last, std::greater{});
  // As many as there are leaders carry at least that.
  const auto high =
      std::ranges::count_if(leaders, [&](PeerId leader) { return burdens[leader.value] >= *last; });
  return static_cast<double>(high) / static_cast<double>(leaders.size());
}

// Over the peers that ran anything: from the first submission to their first start.
double mean_first_start(const Outcome& outcome) {
  std::map<PeerId, Time> first;
  const auto& submissions = outcome.facts.of<agents::TaskSubmitted>();
  const Time submitted = submissions.empty() ? Time{} : submissions.front().at;
  for (const auto& noted : outcome.facts.of<agents::TaskStarted>())
    first.try_emplace(noted.peer, noted.at);
  double sum = 0;
  for (const auto& [peer, at] : first) sum += core::seconds(at - submitted);
  return first.empty() ? not_applicable : sum / static_cast<double>(first.size());
}

// Measured from the first start of a job, so that neither its waiting for others nor the time at
// which peers begin to ask for work has a part in it.
double job_spread(const Outcome& outcome) {
  struct StartTimes {
    Time first = Time::max();
    Time last{};
  };
  std::map<std::uint32_t, StartTimes> jobs;
  for (const TaskOutcome& task : outcome.tasks) {
    if (task.starts == 0) continue;
    StartTimes& starts = jobs[task.id.job];
    starts.first = std::min(starts.first, task.started_at);
    starts.last = std::max(starts.last, task.started_at);
  }
  std::vector<double> spreads;
  for (const auto& [job, starts] : jobs)
    spreads.push_back(core::seconds(starts.last - starts.first));
  return mean(spreads);
}

// The time from the first submission; the whole makespan if half of the peers never worked.
double half_at_work(const Outcome& outcome) {
  const auto [begin, end] = makespan_of(outcome);
  std::set<PeerId> busy;
  for (const auto& noted : outcome.facts.of<agents::TaskStarted>()) {
    busy.insert(noted.peer);
    if (2 * busy.size() >= outcome.peers.size()) return core::seconds(noted.at - begin);
  }
  return core::seconds(end - begin);
}

// A root by itself is none.
bool is_tree(const Tree& tree) { return tree.members() > 1; }

double mean_depth(const Outcome& outcome) {
  const Tree tree = tree_at(outcome, Time::max());
  double sum = 0;
  for (const auto& depth : tree.depth) sum += depth.value_or(0);
  return is_tree(tree) ? sum / static_cast<double>(tree.members()) : not_applicable;
}

double height(const Outcome& outcome) {
  const Tree tree = tree_at(outcome, Time::max());
  return is_tree(tree) ? tree.height() : not_applicable;
}

double correlation(const Outcome& outcome) {
  return speed_depth_correlation(outcome, tree_at(outcome, Time::max())).value_or(not_applicable);
}

// Calls f(tree) for the tree at each of a hundred instants, evenly from the first submission to the
// last completion.
template <class F>
void at_instants(const Outcome& outcome, F f) {
  constexpr int instants = 100;
  const PeerId root = source_of(outcome);
  if (root == core::no_peer) return;
  const auto [begin, end] = makespan_of(outcome);
  const std::vector<TreeMove> moves = moves_until(outcome, end);
  auto move = moves.begin();
  std::vector<PeerId> parents(outcome.peers.size(), core::no_peer);
  // Divides first: in a run of years the product would overflow a duration.
  const core::Duration step = (end - begin) / instants;
  const core::Duration rest = (end - begin) % instants;
  for (int i = 1; i <= instants; ++i) {
    const Time now = begin + step * i + rest * i / instants;
    for (; move != moves.end() && move->at <= now; ++move) parents[move->peer.value] = move->to;
    f(tree_of(root, parents));
  }
}

// The mean speed of the root's children over that of all peers but the root; nothing without
// children.
std::optional<double> children_speed(const Outcome& outcome, const Tree& tree) {
  if (tree.root == core::no_peer || tree.children[tree.root.value].empty()) return {};
  double all = 0;
  for (const PeerOutcome& peer : outcome.peers) all += peer.id == tree.root ? 0 : peer.speed;
  all /= static_cast<double>(outcome.peers.size() - 1);
  double sum = 0;
  const std::vector<PeerId>& children = tree.children[tree.root.value];
  for (const PeerId child : children) sum += outcome.peers[child.value].speed;
  return sum / static_cast<double>(children.size()) / all;
}

double last_children_speed(const Outcome& outcome) {
  return children_speed(outcome, tree_at(outcome, Time::max())).value_or(not_applicable);
}

// Over the instants at which there is one.
template <class Measure>
double mean_over_time(const Outcome& outcome, Measure measure) {
  std::vector<double> values;
  at_instants(outcome, [&](const Tree& tree) {
    if (const std::optional<double> value = measure(outcome, tree)) values.push_back(*value);
  });
  return mean(values);
}

}  // namespace

std::vector<Metric> structure_metrics() {
  return {
      {"mean_first_start", "mean first start", "s",
       "Time from the first submission to the first start at a peer; the mean over the peers that "
       "ran a task.",
       false, Better::less, mean_first_start},
      {"job_spread", "spread of a job", "s",
       "Time from the first start of a task of a job until its last task has started; the mean "
       "over jobs.",
       false, Better::less, job_spread},
      {"half_at_work", "half of the peers at work", "s",
       "Time from the first submission until half of the peers have started a task; the makespan "
       "if that never happens.",
       false, Better::less, half_at_work},
      {"mean_depth", "mean depth", "",
       "Depth of a peer in the last tree (or in queue, leaders, workers); the mean over the peers "
       "in it. The root has depth 0.",
       false, Better::neither, mean_depth},
      {"height", "height", "", "The largest depth in the last tree.", false, Better::neither,
       height},
      {"speed_depth_correlation", "speed and depth", "",
       "Spearman's correlation of speed and depth in the last tree; negative: fast peers are near "
       "the root.",
       false, Better::less, correlation},
      {"speed_depth_correlation_over_time", "  over time", "",
       "Spearman's correlation of speed and depth as the mean over a hundred instants, evenly from "
       "the first submission to the last completion.",
       false, Better::less,
       [](const Outcome& o) { return mean_over_time(o, speed_depth_correlation); }},
      {"root_children_speed", "speed of the root's children", "",
       "Mean speed of the root's children over that of all peers but the root, as the mean over a "
       "hundred instants, evenly from the first submission to the last completion; above 1: faster "
       "peers than usual.",
       false, Better::more, [](const Outcome& o) { return mean_over_time(o, children_speed); }},
      {"root_children_speed_last", "  in the end", "",
       "Mean speed of the root's children over that of all peers but the root, in the last tree.",
       false, Better::more, last_children_speed},
      {"source_rank", "rank of the source", "",
       "Place of the peer where jobs arrive among all peers by job messages: 1 is the most loaded.",
       false, Better::neither, source_rank},
      {"leaders_on_top", "leaders on top", "",
       "Of the n peers that were leaders, the share that is among the n peers with the most job "
       "messages.",
       false, Better::neither, leaders_on_top},
  };
}

}  // namespace rhizome::scenarios
