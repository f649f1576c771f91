#include "agents/vector/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rhizome::agents::vectors {

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
