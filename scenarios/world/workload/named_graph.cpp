#include "scenarios/world/workload/named_graph.hpp"

#include <algorithm>
#include <utility>

#include "agents/graph_shape.hpp"

namespace rhizome::scenarios {

void NamedGraph::add(const std::string& name, agents::Task task) {
  if (tasks_.size() == most_graph_tasks)
    source_.refuse_at(name, "the graph has more than a million tasks");
  task.id = {0, static_cast<std::uint32_t>(tasks_.size())};
  if (!portions_.emplace(name, task.id.portion).second)
    source_.refuse_at(name, "two tasks have the id \"" + name + "\"");
  names_.push_back(name);
  tasks_.push_back(std::move(task));
}

std::uint32_t NamedGraph::find(const std::string& name) const {
  const auto found = portions_.find(name);
  if (found == portions_.end())
    source_.refuse_at(name, "there is no task with the id \"" + name + "\"");
  return found->second;
}

void NamedGraph::connect(const std::string& task, const std::string& needs, std::uint64_t bytes) {
  edges_.insert_or_assign({find(task), find(needs)}, bytes);
}

agents::Job NamedGraph::job() const {
  agents::Job job{.id = 0, .portions = tasks_};
  for (const auto& [edge, bytes] : edges_)
    job.dependencies.push_back({edge.first, edge.second, bytes});
  if (const auto portion = agents::portion_in_cycle(job))
    source_.refuse_at(names_[*portion], "the task \"" + names_[*portion] +
                                            "\" needs itself, by way of those that it needs");
  return job;
}

}  // namespace rhizome::scenarios
