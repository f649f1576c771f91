// The keys of [workload] that say what tasks compute: the kind, and the settings of every kind
// under the kind's name.
#pragma once

#include <vector>

#include "core/work/kind.hpp"
#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

// Of a WorkloadSection. The kinds outlive them.
[[nodiscard]] std::vector<core::Setting> work_settings(core::WorkKinds kinds);

// Each setting of a kind means something only where that kind is chosen.
[[nodiscard]] std::vector<Condition> work_conditions(core::WorkKinds kinds);

}  // namespace rhizome::scenarios
