// The catalogue of kinds of work.
#pragma once

#include "core/work/kind.hpp"

namespace rhizome::agents {

// Every kind of the project, in the order of `rhizome list`; emulated work is the first. A task
// names its kind by the position here.
[[nodiscard]] core::WorkKinds work_kinds();

// The same, and behind them what peers have done for themselves, which no task names: operations of
// stores. For engines.
[[nodiscard]] core::WorkKinds kinds_of_runs();

}  // namespace rhizome::agents
