// The tasks of graphs at a peer, which a locator moves. They are divided among neighbours level by
// level as other tasks are, each in a move of its own, while the data that they need look for them.
// At the source this class also handles tasks that are lost or wait in vain. Our design.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "agents/client.hpp"
#include "agents/locator/service.hpp"
#include "agents/scheduler.hpp"
#include "agents/vector/messages.hpp"
#include "agents/vector/neighbour_table.hpp"
#include "agents/vector/options.hpp"
#include "agents/vector/planner.hpp"
#include "agents/vector/ranks.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

// The source's knowledge of graphs under way: the dependencies of tasks, and which tasks are done.
// With it a lost task is placed again, and a task that waits in vain is given the data that it
// needs. Our design.
class GraphProgress {
 public:
  void enter(const locator::Mobile& mobile) { open_.emplace(mobile.task.id, mobile); }
  [[nodiscard]] bool open(TaskId task) const { return open_.contains(task); }
  // Whether the task is open, and other tasks need bytes of it.
  [[nodiscard]] bool gives(TaskId task) const {
    const auto found = open_.find(task);
    return found != open_.end() && found->second.task.gives > 0;
  }
  void done(TaskId task, core::Time now) {
    open_.erase(task);
    done_.emplace(task, now);
  }

  // The same task once more, in a later epoch than all former ones, with the data of all tasks
  // known to be done.
  [[nodiscard]] locator::Mobile again(TaskId task) {
    locator::Mobile mobile = open_.at(task);
    mobile.epoch = locator::generation * ++generations_;
    for (const locator::Neighbour& each : std::exchange(mobile.unmet, {}))
      if (done_.contains(each.task))
        locator::take_along(mobile, each);
      else
        mobile.unmet.push_back(each);
    return mobile;
  }

  // The data that a task that waits at peer `at` should have been given, if the giver was done
  // before that time.
  [[nodiscard]] std::optional<locator::GiveData> owed(const Need& need, core::PeerId at,
                                                      core::Time before) const {
    const auto done = done_.find(need.giver);
    const auto found = open_.find(need.task);
    if (found == open_.end() || done == done_.end() || done->second >= before) return {};
    for (const locator::Neighbour& needed : found->second.unmet)
      if (needed.task == need.giver)
        return locator::GiveData{need.giver, {{need.task, {at, 0}, needed.bytes}}};
    return {};
  }

 private:
  std::map<TaskId, locator::Mobile> open_;  // as they entered
  std::map<TaskId, core::Time> done_;
  locator::Epoch generations_ = 0;
};

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
