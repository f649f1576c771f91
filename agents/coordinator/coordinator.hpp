// The coordinator pair of the IDunno report: a coordinator and its standby, and workers that are
// shared between models so that their queries are answered at equal rates.
#pragma once

#include "agents/scheduler.hpp"

namespace rhizome::agents {

[[nodiscard]] Scheduler coordinator();

}  // namespace rhizome::agents
