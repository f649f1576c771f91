#include "agents/sparrow/forecast.hpp"

#include <algorithm>

#include "agents/server.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::agents::sparrow {

void Forecast::queued(const Task& task) {
  if (options_.answers != Answers::estimated_wait) return;
  core::Rng rng = core::Rng::derive({seed_, subject_of(task.id)}, "estimate");
  const double factor = rng.lognormal(0, options_.estimate_error);
  expected_[task.id] = {core::from_seconds(core::seconds(task.duration) * factor / capacity_.speed),
                        task.cpus};
}

core::Duration Forecast::wait(const Server& server, core::Time now) const {
  core::Duration work{0};
  for (const auto& [task, expected] : expected_) {
    const auto resident = server.residents().find(task);
    const core::Duration done = resident == server.residents().end()
                                    ? core::Duration{0}
                                    : server.attained(resident->second, now);
    work += std::max(expected.duration - done, core::Duration{0}) * expected.cpus;
  }
  return work / capacity_.slots;
}

}  // namespace rhizome::agents::sparrow
