// A master and its workers: a queue of idle workers, jobs and tasks first come first served. The
// master's state is kept in a store; when it dies the workers elect another, which goes on from
// there.
#pragma once

#include "agents/scheduler.hpp"

namespace rhizome::agents {

[[nodiscard]] Scheduler master_worker();

}  // namespace rhizome::agents
