#include "tools/serve/held_tasks.hpp"

#include <algorithm>

namespace rhizome::tools {

auto HeldTasks::admit(const ServedJob& job, const std::vector<ServedTask>& done) -> Released {
  const std::uint32_t tasks = job.order.tasks;
  Held held{.job = job,
            .missing = std::vector<std::uint32_t>(tasks),
            .over = std::vector<bool>(tasks),
            .followers = std::vector<std::vector<std::uint32_t>>(tasks),
            .left = tasks};
  for (const auto& [task, needed] : job.order.needs) {
    ++held.missing[task];
    held.followers[needed].push_back(task);
  }
  Released released;
  for (const ServedTask& task : done) end(held, task.task, task.right, released);
  released.ready.clear();  // ready tasks are found again below
  for (std::uint32_t task = 0; task < tasks; ++task)
    if (!held.over[task] && held.missing[task] == 0) released.ready.push_back(task);
  if (!job.order.needs.empty() && held.left > 0) jobs_.insert_or_assign(job.id, std::move(held));
  return released;
}

auto HeldTasks::ended(std::uint64_t job, std::uint32_t task, bool right) -> Released {
  Released released;
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return released;
  end(found->second, task, right, released);
  if (found->second.left == 0) jobs_.erase(found);
  return released;
}

// A task with a wrong result bars all tasks that need it, directly or by way of others.
void HeldTasks::end(Held& held, std::uint32_t task, bool right, Released& released) {
  if (task >= held.over.size() || held.over[task]) return;
  held.over[task] = true;
  --held.left;
  std::vector<std::uint32_t> wrong;
  if (!right) wrong.push_back(task);
  for (const std::uint32_t follower : held.followers[task])
    if (--held.missing[follower] == 0 && !held.over[follower] && right)
      released.ready.push_back(follower);
  for (std::size_t at = 0; at < wrong.size(); ++at)
    for (const std::uint32_t follower : held.followers[wrong[at]]) {
      if (held.over[follower]) continue;
      held.over[follower] = true;
      --held.left;
      released.barred.push_back(follower);
      wrong.push_back(follower);
    }
}

const ServedJob* HeldTasks::find(std::uint64_t job) const {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? nullptr : &found->second.job;
}

}  // namespace rhizome::tools
