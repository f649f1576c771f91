// The catalogue of kinds of work.
#pragma once

#include "core/work/kind.hpp"

namespace rhizome::agents {

// Every kind of the project, in the order of `rhizome list`; emulated work is the first. A task
// names its kind by the position here.
[[nodiscard]] core::WorkKinds work_kinds();

// Work that is an arbitrary program in a process of its own, judged by the status it exits with.
// Virtual time begins no process: such a task takes its estimate there.
[[nodiscard]] core::WorkKind child_process_work();

}  // namespace rhizome::agents
