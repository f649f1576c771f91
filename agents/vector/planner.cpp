#include "agents/vector/planner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rhizome::agents::vectors {

namespace {

// The queues of the peer itself and its neighbours, with the tasks on the way to them where these
// are credited.
Counts queues_of(const PeerMetrics& self, const std::vector<NeighbourState>& neighbours,
                 bool credit) {
  Counts queues{self.queue};
  for (const NeighbourState& seen : neighbours)
    queues.push_back(seen.vitals.queue + (credit ? seen.sent : 0));
  return queues;
}

double task_time(const PeerMetrics& vitals, FinishEstimate by) {
  const core::Duration time = by == FinishEstimate::benchmark ? vitals.benchmark : vitals.history;
  return std::max(core::seconds(time), 1e-9);
}

}  // namespace

Planner::Moves Planner::moves(const PeerMetrics& self,
                              const std::vector<NeighbourState>& neighbours, core::Time now,
                              core::Rng& rng) const {
  if (self.queue == 0 || neighbours.empty()) return {};
  const Counts queues = queues_of(self, neighbours, options_.credit);
  if (std::accumulate(queues.begin(), queues.end(), std::uint64_t{0}) <= 1) return {};
  Counts counts = options_.split == Split::scores ? by_scores(self, neighbours, queues, now)
                                                  : by_finish_times(self, neighbours, queues);
  if (options_.only_down) counts = only_down(std::move(counts), queues);
  Moves moves;
  for (std::size_t i = 0; i < neighbours.size(); ++i)
    if (const std::uint32_t tasks = damped(counts[i + 1], rng); tasks > 0)
      moves.emplace_back(neighbours[i].peer, tasks);
  return moves;
}

Counts Planner::by_scores(const PeerMetrics& self, const std::vector<NeighbourState>& neighbours,
                          const Counts& queues, core::Time now) const {
  const Course::Weights& flow = flow_.at(now);
  const Course::Weights& stasis = stasis_.at(now);
  std::vector<Dimension> dimensions;
  for (std::size_t m = 0; m < flow.size(); ++m) {
    if (flow[m] == 0) continue;
    Dimension dimension{.values = {metrics()[m].of(self, 0)}, .flow = flow[m], .stasis = stasis[m]};
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      PeerMetrics vitals = neighbours[i].vitals;
      vitals.queue = queues[i + 1];
      dimension.values.push_back(metrics()[m].of(vitals, neighbours[i].latency));
    }
    dimensions.push_back(std::move(dimension));
  }
  if (dimensions.empty()) return split(self.queue, std::vector<double>(queues.size(), 0));
  return split(self.queue, scores(dimensions));
}

// Measurements of a benchmark only compare the speeds of peers, so task times are scaled to the
// mean time of the tasks that this peer itself has seen.
Counts Planner::by_finish_times(const PeerMetrics& self,
                                const std::vector<NeighbourState>& neighbours,
                                const Counts& queues) const {
  const double unit =
      options_.estimate == FinishEstimate::history
          ? 1
          : task_time(self, FinishEstimate::history) / task_time(self, FinishEstimate::benchmark);
  std::vector<BusyTime> paces{
      {.backlog = core::seconds(self.left), .task = unit * task_time(self, options_.estimate)}};
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const PeerMetrics& vitals = neighbours[i].vitals;
    const double task = unit * task_time(vitals, options_.estimate);
    paces.push_back({.backlog = core::seconds(vitals.left) + queues[i + 1] * task, .task = task});
  }
  return levelled(self.queue, paces, options_.margin);
}

// Rounds by chance, so that on average the exact share is moved, however few tasks there are.
std::uint32_t Planner::damped(std::uint32_t tasks, core::Rng& rng) const {
  if (options_.damping >= 1) return tasks;
  const double exact = options_.damping * tasks;
  const double whole = std::floor(exact);
  return static_cast<std::uint32_t>(whole) + (rng.chance(exact - whole) ? 1 : 0);
}

namespace {

// Scores as integers, so that shares are exact, and equal on every machine.
constexpr double grid = 1 << 20;

std::vector<std::uint64_t> in_parts(const std::vector<double>& scores) {
  std::vector<std::uint64_t> parts;
  for (const double score : scores)
    parts.push_back(static_cast<std::uint64_t>(std::llround(score * grid)));
  return parts;
}

}  // namespace

std::vector<double> scaled(const std::vector<double>& values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  std::vector<double> places(values.size(), 0);
  if (values.empty() || *least == *greatest) return places;
  for (std::size_t i = 0; i < values.size(); ++i)
    places[i] = 2 * ((values[i] - *least) / (*greatest - *least)) - 1;
  return places;
}

std::vector<double> scores(const std::vector<Dimension>& dimensions) {
  std::vector<double> sums(dimensions.empty() ? 0 : dimensions.front().values.size(), 0);
  for (const Dimension& dimension : dimensions) {
    std::vector<double> places = scaled(dimension.values);
    places.front() += dimension.stasis;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += places[i] * dimension.flow;
  }
  for (double& sum : sums) sum = std::max(sum, 0.0);
  return sums;
}

Counts split(std::uint32_t tasks, const std::vector<double>& scores) {
  const std::vector<std::uint64_t> parts = in_parts(scores);
  const std::uint64_t total = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
  Counts counts(scores.size(), 0);
  if (total == 0) {
    if (!counts.empty()) counts.front() = tasks;
    return counts;
  }
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint32_t left = tasks;
  for (std::size_t i = 0; i < counts.size(); ++i)
    left -= counts[i] = static_cast<std::uint32_t>(tasks * parts[i] / total);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tasks * parts[a] % total > tasks * parts[b] % total;
  });
  for (std::size_t i = 0; i < left; ++i) ++counts[order[i]];
  return counts;
}

Counts levelled(std::uint32_t tasks, const std::vector<BusyTime>& paces, double margin) {
  Counts counts(paces.size(), 0);
  std::vector<double> finish;
  for (const BusyTime& pace : paces) finish.push_back(pace.backlog + pace.task);
  for (; tasks > 0; --tasks) {
    std::size_t best = 0;
    double earliest = finish.front() - margin * paces.front().task;
    for (std::size_t i = 1; i < paces.size(); ++i) {
      if (finish[i] >= earliest) continue;
      earliest = finish[i];
      best = i;
    }
    ++counts[best];
    finish[best] += paces[best].task;
  }
  return counts;
}

Counts only_down(Counts counts, const Counts& queues) {
  const auto length = [&](std::size_t i) {
    return counts[i] == 0 ? std::uint64_t{0} : std::uint64_t{queues[i]} + counts[i];
  };
  for (;;) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < counts.size(); ++i)
      if (length(i) > (longest == 0 ? counts[0] : length(longest))) longest = i;
    if (longest == 0) return counts;
    --counts[longest];
    ++counts[0];
  }
}

}  // namespace rhizome::agents::vectors
