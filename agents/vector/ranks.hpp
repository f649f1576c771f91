// The tasks of graphs at a peer that have not begun, by their level: how many tasks stand before
// them in the longest chain. The shallowest ready task begins first, because the most tasks may
// wait for it, and each level is divided among neighbours by itself. Our design.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "agents/task.hpp"
#include "agents/vector/messages.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

class Ranks {
 public:
  // A task has come, perhaps again.
  void add(TaskId task, std::uint32_t level, core::Time now) {
    remove(task);
    held_.emplace(task, RankedTask{level, next_, now, false});
    levels_[level].emplace(next_++, task);
  }
  // The task needs no more data.
  void ready(TaskId task) {
    const auto held = held_.find(task);
    if (held == held_.end() || std::exchange(held->second.ready, true)) return;
    ready_.emplace(held->second.level, held->second.number, task);
  }
  void remove(TaskId task) {
    const auto held = held_.find(task);
    if (held == held_.end()) return;
    const auto& [level, number, since, ready] = held->second;
    if (ready) ready_.erase({level, number, task});
    const auto of_level = levels_.find(level);
    of_level->second.erase(number);
    if (of_level->second.empty()) levels_.erase(of_level);
    held_.erase(held);
  }
  void clear() { *this = {}; }

  [[nodiscard]] std::size_t size() const { return held_.size(); }
  [[nodiscard]] std::optional<TaskId> first_ready() const {
    if (ready_.empty()) return {};
    return std::get<TaskId>(*ready_.begin());
  }
  // The last tasks of a level that came, at most `count`.
  [[nodiscard]] std::vector<TaskId> last(std::uint32_t level, std::uint32_t count) const {
    std::vector<TaskId> tasks;
    const auto of_level = levels_.find(level);
    if (of_level == levels_.end()) return tasks;
    for (auto item = of_level->second.rbegin();
         item != of_level->second.rend() && tasks.size() < count; ++item)
      tasks.push_back(item->second);
    return tasks;
  }
  // Levels that have tasks, ascending.
  [[nodiscard]] std::vector<LevelCount> counts() const {
    std::vector<LevelCount> counts;
    for (const auto& [level, tasks] : levels_)
      counts.push_back({level, static_cast<std::uint32_t>(tasks.size())});
    return counts;
  }
  // Calls f(task, since) for tasks that still need others, with the time since which they are here.
  template <class F>
  void for_each_unready(F f) const {
    for (const auto& [task, held] : held_)
      if (!held.ready) f(task, held.since);
  }
  template <class F>
  void for_each(F f) const {
    for (const auto& [task, held] : held_) f(task);
  }

 private:
  struct RankedTask {
    std::uint32_t level = 0;
    std::uint64_t number = 0;
    core::Time since{};
    bool ready = false;
  };
  std::map<TaskId, RankedTask> held_;
  std::map<std::uint32_t, std::map<std::uint64_t, TaskId>> levels_;
  std::set<std::tuple<std::uint32_t, std::uint64_t, TaskId>> ready_;
  std::uint64_t next_ = 0;
};

// How many tasks neighbours have of each level, as far as they have reported it.
class NeighbourRanks {
 public:
  void heard(PeerId peer, const std::vector<LevelCount>& levels) {
    std::map<std::uint32_t, LevelKnowledge>& known = known_[peer];
    known.clear();
    for (const auto& [level, tasks] : levels) known[level].told = tasks;
  }
  void sent(PeerId peer, std::uint32_t level, std::uint32_t tasks) {
    known_[peer][level].sent += tasks;
  }
  // Includes the tasks sent there since, where these are credited.
  [[nodiscard]] std::uint32_t count(PeerId peer, std::uint32_t level, bool credit) const {
    const auto of_peer = known_.find(peer);
    if (of_peer == known_.end()) return 0;
    const auto found = of_peer->second.find(level);
    if (found == of_peer->second.end()) return 0;
    return found->second.told + (credit ? found->second.sent : 0);
  }

 private:
  struct LevelKnowledge {
    std::uint32_t told = 0;
    std::uint32_t sent = 0;
  };
  std::map<PeerId, std::map<std::uint32_t, LevelKnowledge>> known_;
};

}  // namespace rhizome::agents::vectors
