// The catalogue of kinds of work.
#pragma once

#include "core/work/kind.hpp"

namespace rhizome::agents {

// Every kind of the project, in the order of `rhizome list`; emulated work is the first. A task
// names its kind by the position here.
[[nodiscard]] core::WorkKinds work_kinds();

}  // namespace rhizome::agents
