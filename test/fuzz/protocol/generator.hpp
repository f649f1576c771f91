// Draws a scenario for a scheduler from a seed: small, over all keys and options, and fair, so that
// whatever goes wrong in it is the scheduler's fault.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "agents/scheduler.hpp"
#include "test/fuzz/protocol/draft.hpp"

namespace rhizome::fuzz {

struct Generated {
  Draft draft;
  std::uint32_t refused = 0;  // drafts that the format or the scheduler refused before this one
};

// Options of the scheduler that are not drawn, by name, as in a scenario file: a variant of it.
using Pinned = std::map<std::string, std::string>;

// Which worlds are drawn: a third of all is calm, without fault, loss, duplication or cut. All
// worlds of a scheduler that needs every peer are calm.
enum class Worlds : std::uint8_t { all, calm, disturbed };

// The same on every machine. Fair means:
//   - peers that the scheduler cannot do without stay, except in one of twenty worlds, which must
//   fail;
//   - disturbances end: cuts heal, churn stops, and a peer is left in nearly every world;
//   - at most three packets of ten are lost, one of five arrives twice;
//   - a task fits every peer;
//   - a scheduler that needs every peer meets no fault and no loss;
//   - peers are given time: the limit is more than three times the bound.
// Keys and options that this file does not know are drawn from their bounds, now and then.
[[nodiscard]] Generated generate(const agents::Scheduler& scheduler, std::uint64_t seed,
                                 const Pinned& pinned = {}, Worlds worlds = Worlds::all);

}  // namespace rhizome::fuzz
