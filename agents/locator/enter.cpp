#include "agents/locator/enter.hpp"

#include <map>
#include <utility>

#include "agents/graph_shape.hpp"

namespace rhizome::agents::locator {

std::vector<Mobile> mobiles_of(const std::vector<Task>& tasks,
                               const std::vector<Dependency>& dependencies, PeerId at) {
  std::vector<Mobile> mobiles;
  std::map<std::uint32_t, std::size_t> places;  // by portion
  const std::vector<std::uint32_t> levels =
      levels_of({.arrival = {}, .portions = tasks, .dependencies = dependencies});
  for (const Task& task : tasks) {
    places.emplace(task.id.portion, mobiles.size());
    mobiles.push_back({.task = task, .level = levels[mobiles.size()]});
  }
  // Several dependencies between the same two tasks are given together.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> edges;
  for (const auto& [task, needs, bytes] : dependencies) edges[{needs, task}] += bytes;
  for (const auto& [edge, bytes] : edges) {
    Mobile& predecessor = mobiles[places.at(edge.first)];
    Mobile& successor = mobiles[places.at(edge.second)];
    successor.unmet.push_back({predecessor.task.id, {at, 0}, bytes});
    predecessor.task.gives += bytes;
    predecessor.successors.push_back({successor.task.id, {at, 0}, bytes});
  }
  return mobiles;
}

}  // namespace rhizome::agents::locator
