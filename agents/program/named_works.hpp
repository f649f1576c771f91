// The works of a peer that its program has begun, by the names that the program gave them: tasks,
// which its server executes, and work of its own beside them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "agents/program/messages.hpp"
#include "agents/program/wire.hpp"
#include "agents/server.hpp"

namespace rhizome::agents::program {

class NamedWorks {
  template <class Works>
  [[nodiscard]] static auto find(Works& works, const std::string& name) {
    return std::find_if(works.begin(), works.end(),
                        [&](const auto& each) { return each.second == name; });
  }

 public:
  explicit NamedWorks(core::PeerId self) : self_(self) {}

  // Both throw WireError where work of that name, or the task, is under way: the two could not be
  // told apart.
  void begin(Env& env, Server& server, const Task& task, const std::string& name) {
    check(name);
    if (!tasks_.emplace(task.id, name).second)
      throw WireError("it begins the task of the work " + in_quotes(name) +
                      ", which is under way here");
    server.accept(env, task);
  }
  // `duration`: at this peer.
  void begin(Env& env, core::Duration duration, const std::string& name) {
    check(name);
    own_.emplace(env.work({.recipe = {}, .duration = duration}), name);
  }
  // Work that has ended meanwhile stays ended.
  void stop(Env& env, Server& server, const std::string& name) {
    if (const auto own = find(own_, name); own != own_.end()) {
      env.stop(own->first);
      own_.erase(own);
    } else if (const auto task = find(tasks_, name); task != tasks_.end()) {
      const auto resident = server.residents().find(task->first);
      if (resident != server.residents().end() && resident->second.begun)
        env.note(TaskReissued{task->first, self_, "preempted"});
      server.withdraw(env, {task->first});
      tasks_.erase(task);
    }
  }
  // The name of work of its own that has ended; nothing for other work.
  [[nodiscard]] std::optional<std::string> ended(core::WorkId work) {
    const auto own = own_.find(work);
    if (own == own_.end()) return {};
    return own_.extract(own).mapped();
  }
  // The name of the work of a task that has ended.
  [[nodiscard]] std::string ended(TaskId task) { return tasks_.extract(task).mapped(); }
  // Stops the program's own work; the server stops its tasks.
  void stop_own(Env& env) {
    for (const auto& work : std::exchange(own_, {})) env.stop(work.first);
  }

 private:
  void check(const std::string& name) const {
    if (find(tasks_, name) != tasks_.end() || find(own_, name) != own_.end())
      throw WireError("it begins the work " + in_quotes(name) + ", which is under way here");
  }

  core::PeerId self_;
  std::map<TaskId, std::string> tasks_;
  std::map<core::WorkId, std::string> own_;
};

}  // namespace rhizome::agents::program
