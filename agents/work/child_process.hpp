// Work that is an arbitrary program in a process of its own, judged by the status it exits with.
#pragma once

#include "core/work/kind.hpp"

namespace rhizome::agents {

// Virtual time begins no process: such a task takes its estimate there.
[[nodiscard]] core::WorkKind child_process_work();

}  // namespace rhizome::agents
