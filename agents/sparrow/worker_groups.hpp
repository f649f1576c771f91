// Temporary leaders (Peterson's dissertation, section 4.4). The master of a job whose tasks need
// each other calls up a group of workers from its neighbours, which serve no other master
// meanwhile. It gives each ready task to a member with room, and releases the members once the job
// asks for nothing more. Only the leader knows its group: a successor calls up a group of its own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/next_hop_selector.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::sparrow {

class WorkerGroups {
 public:
  using Messages = core::OneOf<Enlisted, Declined>;
  using Timers = core::OneOf<GroupDue>;

  // A task for a member of the group that has room for it.
  struct Order {
    TaskId task;
    PeerId to;
    std::optional<std::uint32_t> life;  // of the member, if it has told it
  };

  // The leader is a member itself, with capacity `own`.
  WorkerGroups(const Options& options, const Capacity& own, NextHopSelector& next_hop_selector)
      : options_(options), own_(own), next_hop_selector_(next_hop_selector) {}

  // Whether the task is one for a group.
  [[nodiscard]] bool leads(const Task& task) const {
    return options_.leaders == Leaders::graphs && task.level > 0;
  }
  // The task waits for a member. Calls up workers if no member has room for it.
  void wait(Env& env, const Task& task);
  // The task waits no longer, or no member has it any more.
  void settle(TaskId task);
  // Removes a member that has died, or serves another leader; the caller settles its tasks.
  void strike(PeerId member);
  void strike(std::uint32_t job, PeerId member);
  // Tasks that can run now, the shallowest first, each on the fastest member that has room.
  [[nodiscard]] std::vector<Order> orders();

  void on(Env& env, PeerId from, const Enlisted& message);
  void on(Env& env, PeerId from, const Declined& message);
  // Returns tasks that no member of the group is large enough for: they wait for the group no
  // longer.
  [[nodiscard]] std::vector<TaskId> on(Env& env, const GroupDue& due);
  void stop(Env& env);

 private:
  struct Member {
    std::optional<std::uint32_t> life{};
    Resources room{};
    double speed = 1;
    std::map<TaskId, Resources> tasks{};

    [[nodiscard]] bool has_room(const Resources& needs) const;
  };
  struct Group {
    std::map<PeerId, Member> members{};
    std::set<PeerId> asked{};                                         // without an answer
    std::map<std::pair<std::uint32_t, TaskId>, Resources> waiting{};  // by level
    core::TimerId due{};
    bool idle = false;  // whether idle since the timer was set

    [[nodiscard]] bool busy() const;
  };

  static std::vector<TaskId> too_large(Group& group);
  Group& group(Env& env, std::uint32_t job);
  void call_up(Env& env, std::uint32_t job, Group& group);
  void dismiss(Env& env, std::uint32_t job, const Group& group);
  static Member* fastest_with_room(Group& group, const Resources& needs, PeerId& who);

  const Options& options_;
  const Capacity own_;
  NextHopSelector& next_hop_selector_;
  std::map<std::uint32_t, Group> groups_;  // by job
};

}  // namespace rhizome::agents::sparrow
