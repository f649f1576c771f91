#include "agents/graph_shape.hpp"

#include <algorithm>
#include <cstddef>

namespace rhizome::agents {

namespace {

// The tasks that need each portion, in one piece of memory: a graph may have millions of edges.
struct Followers {
  explicit Followers(const Job& job) : Followers(job.portions.size(), job.dependencies) {}
  Followers(std::size_t portions, const std::vector<Dependency>& edges)
      : first(portions + 1), unmet(portions) {
    for (const Dependency& edge : edges) ++first[edge.needs + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    tasks.resize(edges.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (const Dependency& edge : edges) {
      tasks[next[edge.needs]++] = edge.task;
      ++unmet[edge.task];
    }
  }
  template <class F>
  void for_each_of(std::uint32_t portion, F f) const {
    for (std::size_t i = first[portion]; i < first[portion + 1]; ++i) f(tasks[i]);
  }

  std::vector<std::size_t> first;  // by portion: where its followers begin in `tasks`
  std::vector<std::uint32_t> tasks{};
  std::vector<std::uint32_t> unmet;  // by portion
};

// Portions, each after all portions that it needs. Portions missing from the result are in a cycle,
// or behind one (Kahn 1962).
std::vector<std::uint32_t> in_order(Followers& graph) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < graph.unmet.size(); ++i)
    if (graph.unmet[i] == 0) order.push_back(i);
  for (std::size_t i = 0; i < order.size(); ++i)
    graph.for_each_of(order[i], [&](std::uint32_t task) {
      if (--graph.unmet[task] == 0) order.push_back(task);
    });
  return order;
}

}  // namespace

void GraphShape::add(const GraphShape& other) {
  critical_path = std::max(critical_path, other.critical_path);
  depth = std::max(depth, other.depth);
  width = std::max(width, other.width);
  edges += other.edges;
  bytes += other.bytes;
}

std::vector<std::uint32_t> levels_of(const Job& job) {
  Followers graph(job);
  std::vector<std::uint32_t> levels(job.portions.size());
  for (const std::uint32_t portion : in_order(graph))
    graph.for_each_of(portion, [&](std::uint32_t task) {
      levels[task] = std::max(levels[task], levels[portion] + 1);
    });
  return levels;
}

std::uint64_t heaviest_of(const Job& job) {
  std::vector<std::uint64_t> given(job.portions.size());
  std::vector<std::uint64_t> gives(job.portions.size());
  std::uint64_t most = 0;
  for (const auto& [task, needs, bytes] : job.dependencies)
    most = std::max({most, given[task] += bytes, gives[needs] += bytes});
  return most;
}

GraphShape shape_of(const Job& job) {
  GraphShape shape{.edges = job.dependencies.size()};
  for (const Dependency& edge : job.dependencies) shape.bytes += static_cast<double>(edge.bytes);
  Followers graph(job);
  std::vector<core::Duration> begins(job.portions.size());  // with an unlimited number of peers
  for (const std::uint32_t portion : in_order(graph)) {
    const core::Duration end = begins[portion] + job.portions[portion].duration;
    shape.critical_path = std::max(shape.critical_path, end);
    graph.for_each_of(portion,
                      [&](std::uint32_t task) { begins[task] = std::max(begins[task], end); });
  }
  std::vector<std::uint32_t> sizes;  // of levels
  for (const std::uint32_t level : levels_of(job)) {
    if (level >= sizes.size()) sizes.resize(level + 1);
    shape.width = std::max(shape.width, ++sizes[level]);
  }
  shape.depth = static_cast<std::uint32_t>(sizes.size());
  return shape;
}

std::vector<Dependency> edges_of(const Job& job) {
  std::vector<Dependency> edges = job.dependencies;
  for (const Growth& growth : job.growth)
    for (std::uint32_t i = 0; i < growth.count; ++i)
      edges.push_back({.task = growth.first + i, .needs = growth.by});
  return edges;
}

std::vector<std::uint32_t> order_of(const Job& job) {
  Followers graph(job.portions.size(), edges_of(job));
  return in_order(graph);
}

// Goes from an unordered portion back to an unordered portion that it needs, often enough to leave
// portions that only stand behind a cycle.
std::optional<std::uint32_t> portion_in_cycle(const Job& job) {
  Followers graph(job);
  const std::size_t ordered = in_order(graph).size();
  const std::size_t left = job.portions.size() - ordered;
  if (left == 0) return {};
  std::vector<std::uint32_t> needs(job.portions.size());
  for (const Dependency& edge : job.dependencies)
    if (graph.unmet[edge.needs] > 0) needs[edge.task] = edge.needs;
  const auto some = std::find_if(graph.unmet.begin(), graph.unmet.end(),
                                 [](std::uint32_t unmet) { return unmet > 0; });
  auto portion = static_cast<std::uint32_t>(some - graph.unmet.begin());
  for (std::size_t i = 0; i < left; ++i) portion = needs[portion];
  return portion;
}

}  // namespace rhizome::agents
