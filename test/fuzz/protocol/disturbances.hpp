// Faults in a world of the fuzz: losses, duplicates, cuts, and peers that come and go.
#pragma once

#include <vector>

#include "agents/scheduler.hpp"
#include "test/fuzz/protocol/writer.hpp"

namespace rhizome::fuzz {

// Fair as generator.hpp says. `essential` are the peers that the scheduler cannot do without; a
// world that has no others is not disturbed.
void disturb(DraftWriter& writer, const std::vector<core::PeerId>& essential,
             const agents::World& world);

}  // namespace rhizome::fuzz
