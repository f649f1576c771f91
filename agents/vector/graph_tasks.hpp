// The tasks of graphs at a peer, which a locator moves. They are divided among neighbours level by
// level as other tasks are, each in a move of its own, while the data that they need look for them.
// At the source this class also handles tasks that are lost or wait in vain. Our design.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "agents/client.hpp"
#include "agents/locator/service.hpp"
#include "agents/scheduler.hpp"
#include "agents/vector/graph_progress.hpp"
#include "agents/vector/messages.hpp"
#include "agents/vector/neighbour_table.hpp"
#include "agents/vector/options.hpp"
#include "agents/vector/planner.hpp"
#include "agents/vector/ranks.hpp"

namespace rhizome::agents::vectors {

class GraphTasks {
 public:
  // Without a locator there are no tasks of graphs. Options and locator outlive it.
  GraphTasks(const Options& options, const World& world, const locator::Locator* locator)
      : options_(options), world_(world), locator_(locator) {}

  [[nodiscard]] bool used() const { return locator_ != nullptr; }
  [[nodiscard]] bool quiet() const { return !used() || locator_->quiet(); }
  [[nodiscard]] std::size_t waiting() const { return ranks_.size(); }

  // At the source. Enters the tasks that need others or are needed; returns all others.
  [[nodiscard]] std::vector<Task> enter(Env& env, const Submitted& job);
  // Places a task once more that no peer reports; false if it belongs to no graph.
  [[nodiscard]] bool place_again(Env& env, TaskId task);
  [[nodiscard]] bool gives(TaskId task) const { return graph_progress_.gives(task); }
  void done(Env& env, TaskId task);
  void give(Env& env, PeerId to, const Needs& needs) const;

  void arrived(const locator::Arrived& arrived, core::Time now);
  void ready(const locator::Ready& ready);
  // The ready task that is to begin first.
  [[nodiscard]] std::optional<Task> next() const;
  void begin(Env& env, TaskId task);
  void drop(Env& env, TaskId task);
  void stop() { ranks_.clear(); }

  [[nodiscard]] LevelInfo tell(const Info& info) const { return {info, ranks_.counts()}; }
  void heard(PeerId from, const LevelInfo& message) { neighbours_.heard(from, message.levels); }
  // The tasks that move now.
  [[nodiscard]] std::vector<TaskId> redistribute(Env& env, const Planner& planner,
                                                 const PeerMetrics& self,
                                                 const std::vector<NeighbourState>& seen);

  // All tasks that are here, or on their way from here to a peer that answers.
  [[nodiscard]] std::vector<TaskId> held(Env& env) const;
  // The data that tasks have waited for here for longer than a lease.
  [[nodiscard]] std::vector<Need> needs(core::Time now) const;

 private:
  [[nodiscard]] const locator::Resident* waiting(TaskId task) const;
  void redistribute(Env& env, const LevelCount& level, const Planner& planner, PeerMetrics self,
                    std::vector<NeighbourState> seen, std::vector<TaskId>& moved);

  const Options& options_;
  const World& world_;
  const locator::Locator* locator_;
  Ranks ranks_;
  NeighbourRanks neighbours_;
  GraphProgress graph_progress_;  // used at the source
};

}  // namespace rhizome::agents::vectors
