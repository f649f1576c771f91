// The schedulers of the catalogue, each of which is defined beside its protocol.
#pragma once

#include <string_view>

#include "agents/scheduler.hpp"

namespace rhizome::agents {

inline constexpr std::string_view overlay_only_name = "overlay-only";
inline constexpr std::string_view program_name = "program";

[[nodiscard]] Scheduler air_traffic();
[[nodiscard]] Scheduler coordinator();
[[nodiscard]] Scheduler dispatcher();
[[nodiscard]] Scheduler heft();
// The grid whose agents lead groups (Peterson, sections 5.1 and 7: proposed, not built).
[[nodiscard]] Scheduler hybrid();
[[nodiscard]] Scheduler master_worker();
[[nodiscard]] Scheduler omniscient();
[[nodiscard]] Scheduler organic_grid();
[[nodiscard]] Scheduler overlay_only();
[[nodiscard]] Scheduler program_scheduler();
[[nodiscard]] Scheduler round_robin();
[[nodiscard]] Scheduler sparrow_family();
[[nodiscard]] Scheduler vector_scheduling();
[[nodiscard]] Scheduler wander();

// Bounds know everything beforehand and send no messages, so they cannot be deployed, and no
// comparison names one as its winner. False for an unknown word.
[[nodiscard]] constexpr bool is_bound(std::string_view scheduler) {
  return scheduler == "omniscient" || scheduler == "heft";
}

}  // namespace rhizome::agents
