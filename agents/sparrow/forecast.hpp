// How long a worker expects its processors to be busy with the tasks bound to it, by estimates of
// their durations. The error of an estimate is a factor that is the same wherever a task is asked
// about.
#pragma once

#include <cstdint>
#include <map>

#include "agents/resources.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {
class Server;
}

namespace rhizome::agents::sparrow {

// Keeps nothing if the options ask for no estimates.
class Forecast {
 public:
  // `seed`: the seed of the run, from which errors derive.
  Forecast(const Options& options, const Capacity& capacity, std::uint64_t seed)
      : options_(options), capacity_(capacity), seed_(seed) {}

  // A task is bound to this peer, or has gone. Tasks that come for a placeholder are not forecast.
  void queued(const Task& task);
  void gone(TaskId task) { expected_.erase(task); }
  void clear() { expected_.clear(); }

  // The remaining time of waiting and running tasks, spread over all processors. A task that takes
  // longer than expected may end any moment.
  [[nodiscard]] core::Duration wait(const Server& server, core::Time now) const;

 private:
  struct Expected {
    core::Duration duration;
    std::uint32_t cpus;
  };

  const Options& options_;
  const Capacity capacity_;
  const std::uint64_t seed_;
  std::map<TaskId, Expected> expected_;
};

}  // namespace rhizome::agents::sparrow
