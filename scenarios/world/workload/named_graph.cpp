#include "scenarios/world/workload/named_graph.hpp"

#include <algorithm>

#include "agents/graph_shape.hpp"

namespace rhizome::scenarios {

void NamedGraph::add(const std::string& name, agents::Task task,
                     std::optional<std::size_t> offset) {
  const auto portion = static_cast<std::uint32_t>(tasks_.size());
  task.id = {0, portion};
  names_.push_back(name);
  offsets_.push_back(offset);
  if (portion == most_graph_tasks) refuse(portion, "the graph has more than a million tasks");
  if (!portions_.emplace(name, portion).second)
    refuse(portion, "two tasks have the id \"" + name + "\"");
  tasks_.push_back(std::move(task));
}

void NamedGraph::refuse(std::uint32_t portion, const std::string& message) const {
  if (offsets_[portion]) source_.refuse(*offsets_[portion], message);
  source_.refuse_at(names_[portion], message);
}

std::uint32_t NamedGraph::find(const std::string& name) const {
  const auto found = portions_.find(name);
  if (found == portions_.end())
    source_.refuse_at(name, "there is no task with the id \"" + name + "\"");
  return found->second;
}

bool NamedGraph::is_connected(const std::string& task, const std::string& needs) const {
  return edges_.contains({find(task), find(needs)});
}

void NamedGraph::connect(const std::string& task, const std::string& needs, std::uint64_t bytes) {
  edges_.insert_or_assign({find(task), find(needs)}, bytes);
}

void NamedGraph::compare_files(const std::string& task, std::size_t files) {
  constexpr std::size_t most = 10'000'000;
  compared_ += files;
  if (compared_ > most)
    refuse(find(task), "the tasks share so many files that ten million were compared up to here");
}

agents::Job NamedGraph::job() const {
  agents::Job job{.id = 0, .portions = tasks_};
  for (const auto& [edge, bytes] : edges_)
    job.dependencies.push_back({edge.first, edge.second, bytes});
  if (const auto portion = agents::portion_in_cycle(job))
    refuse(*portion,
           "the task \"" + names_[*portion] + "\" needs itself, by way of those that it needs");
  return job;
}

}  // namespace rhizome::scenarios
