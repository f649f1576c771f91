// What handling costs on this machine, measured, so that virtual time can charge it.
#pragma once

#include <atomic>

#include "core/engine/engine.hpp"

namespace rhizome::core {

// Two peer threads play ping-pong, first with many balls, so that both are always busy and an event
// costs its handling alone; then with one, so that every event wakes a peer that sleeps. Takes
// about a second of real time. The cores are those that this process may use.
[[nodiscard]] CostModel measure_costs(const std::atomic<bool>* stop = nullptr);

}  // namespace rhizome::core
