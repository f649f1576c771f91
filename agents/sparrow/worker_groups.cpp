#include "agents/sparrow/worker_groups.hpp"

#include <algorithm>

namespace rhizome::agents::sparrow {

bool WorkerGroups::Member::has_room(const Resources& needs) const {
  Resources used = needs;
  for (const auto& [task, resources] : tasks) used = used + resources;
  return used.within(room);
}

bool WorkerGroups::Group::busy() const {
  return !waiting.empty() || std::any_of(members.begin(), members.end(), [](const auto& member) {
    return !member.second.tasks.empty();
  });
}

WorkerGroups::Group& WorkerGroups::group(Env& env, std::uint32_t job) {
  const auto [found, fresh] = groups_.try_emplace(job);
  if (fresh) {
    found->second.members[env.self()] = {.room = own_.room(), .speed = own_.speed};
    found->second.due = env.after(options_.group_hold, GroupDue{job});
  }
  return found->second;
}

void WorkerGroups::wait(Env& env, const Task& task) {
  Group& led = group(env, task.id.job);
  led.idle = false;
  const Resources needs = resources_of(task);
  led.waiting.emplace(std::pair(task.level, task.id), needs);
  PeerId who = core::no_peer;
  if (fastest_with_room(led, needs, who) == nullptr || led.waiting.size() > 1)
    call_up(env, task.id.job, led);
}

// Calls up one worker for each waiting task.
void WorkerGroups::call_up(Env& env, std::uint32_t job, Group& led) {
  const std::size_t there = led.members.size() - 1 + led.asked.size();
  const std::size_t wanted = std::min<std::size_t>(options_.group_size, there + led.waiting.size());
  std::size_t lacking = wanted - there;
  if (lacking == 0) return;
  for (const PeerId peer : next_hop_selector_.directions(env, wanted)) {
    if (lacking == 0) return;
    if (peer == env.self() || led.members.contains(peer) || !led.asked.insert(peer).second)
      continue;
    env.send(peer, CallUp{job});
    --lacking;
  }
}

void WorkerGroups::settle(TaskId task) {
  const auto found = groups_.find(task.job);
  if (found == groups_.end()) return;
  std::erase_if(found->second.waiting,
                [task](const auto& item) { return item.first.second == task; });
  for (auto& [peer, member] : found->second.members) member.tasks.erase(task);
}

void WorkerGroups::strike(PeerId member) {
  for (auto& [job, led] : groups_) {
    led.members.erase(member);
    led.asked.erase(member);
  }
}

void WorkerGroups::strike(std::uint32_t job, PeerId member) {
  if (const auto found = groups_.find(job); found != groups_.end())
    found->second.members.erase(member);
}

WorkerGroups::Member* WorkerGroups::fastest_with_room(Group& led, const Resources& needs,
                                                      PeerId& who) {
  Member* fastest = nullptr;
  for (auto& [peer, member] : led.members) {
    if (!member.has_room(needs) || (fastest != nullptr && member.speed <= fastest->speed)) continue;
    fastest = &member;
    who = peer;
  }
  return fastest;
}

std::vector<WorkerGroups::Order> WorkerGroups::orders() {
  std::vector<Order> orders;
  for (auto& [job, led] : groups_) {
    for (auto next = led.waiting.begin(); next != led.waiting.end();) {
      PeerId who = core::no_peer;
      Member* member = fastest_with_room(led, next->second, who);
      if (member == nullptr) {
        ++next;
        continue;
      }
      const TaskId task = next->first.second;
      member->tasks.emplace(task, next->second);
      orders.push_back({task, who, member->life});
      next = led.waiting.erase(next);
    }
  }
  return orders;
}

// A peer that was not asked cannot join a group.
void WorkerGroups::on(Env&, PeerId from, const Enlisted& message) {
  const auto found = groups_.find(message.job);
  if (found == groups_.end() || found->second.asked.erase(from) == 0) return;
  found->second.members[from] = {
      .life = message.life, .room = message.room, .speed = message.speed};
}

void WorkerGroups::on(Env&, PeerId from, const Declined& message) {
  if (const auto found = groups_.find(message.job); found != groups_.end())
    found->second.asked.erase(from);
}

// A graph may be narrow for a moment, so members are held for a while before they are released.
// Peers that have not answered by now are asked again, or others are.
std::vector<TaskId> WorkerGroups::on(Env& env, const GroupDue& due) {
  const auto found = groups_.find(due.job);
  if (found == groups_.end()) return {};
  Group& led = found->second;
  if (!led.busy() && std::exchange(led.idle, true)) {
    dismiss(env, due.job, led);
    groups_.erase(found);
    return {};
  }
  led.asked.clear();
  std::vector<TaskId> unfit = too_large(led);
  if (!led.waiting.empty()) call_up(env, due.job, led);
  led.due = env.after(options_.group_hold, due);
  return unfit;
}

std::vector<TaskId> WorkerGroups::too_large(Group& led) {
  std::vector<TaskId> unfit;
  std::erase_if(led.waiting, [&](const auto& item) {
    const bool fits =
        std::any_of(led.members.begin(), led.members.end(),
                    [&item](const auto& member) { return item.second.within(member.second.room); });
    if (!fits) unfit.push_back(item.first.second);
    return !fits;
  });
  return unfit;
}

void WorkerGroups::dismiss(Env& env, std::uint32_t job, const Group& led) {
  for (const auto& [peer, member] : led.members)
    if (peer != env.self()) env.send(peer, Dismiss{job});
}

void WorkerGroups::stop(Env& env) {
  for (const auto& [job, led] : groups_) env.cancel(led.due);
  groups_.clear();
}

}  // namespace rhizome::agents::sparrow
