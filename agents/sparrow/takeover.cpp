#include "agents/sparrow/takeover.hpp"

#include <vector>

namespace rhizome::agents::sparrow {

bool Takeover::obey(std::uint32_t job, std::uint64_t order) {
  std::uint64_t& latest = latest_[job];
  if (order < latest) return false;
  latest = order;
  return true;
}

// The tasks of one job are submitted together, as they were at first. A task that is done here is
// reported again, and not run again.
void Takeover::on(Env& env, PeerId from, const Adopt& message) {
  Adopted adopted{.tasks = {}, .order = message.order};
  std::map<std::uint32_t, std::vector<Task>> fresh;
  for (const Task& task : message.tasks) {
    if (!obey(task.id.job, message.order)) continue;
    adopted.tasks.push_back(task.id);
    if (!master_.knows(task.id) && !master_.tell_if_done(env, task.id))
      fresh[task.id.job].push_back(task);
  }
  if (!adopted.tasks.empty()) env.send(from, adopted);
  if (resting_) return;
  for (const auto& [job, tasks] : fresh) {
    env.raise(Inherited{tasks});
    master_.submit(env, tasks);
  }
}

// A bound task runs twice already, but only its new master releases the tasks that need it.
void Takeover::on(Env& env, PeerId, const Disown& message) {
  for (const TaskId task : message.tasks) {
    if (!obey(task.job, message.order)) continue;
    master_.disown(env, task);
    env.raise(Disowned{task.job});
  }
}

}  // namespace rhizome::agents::sparrow
