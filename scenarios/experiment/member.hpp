// One of several processes that do the runs of an experiment together.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/mesh/mesh.hpp"
#include "core/peer/burden.hpp"

namespace rhizome::scenarios {

// On threads its state after the last run; in virtual time it has no peers and no clock.
struct Member {
  std::string host;
  std::uint32_t cores = 0;       // cores the process may use
  std::uint32_t host_cores = 0;  // cores of its machine
  std::uint32_t peers = 0;
  std::uint32_t runs = 0;                    // runs it did, alone or with others
  std::chrono::nanoseconds clock_offset{0};  // its clock minus that of process 0
  std::chrono::nanoseconds clock_bound{0};   // how far that may have been from the truth, at worst
  std::chrono::nanoseconds round_trip{0};    // to process 0 and back, the shortest that was seen
  // Messages of its peers to peers of other processes, by class.
  core::BurdensByClass crossed{};
  std::string lost{};  // why; empty: it is there
};

// The members by process, before the first run.
[[nodiscard]] std::vector<Member> members_of(const core::Mesh& mesh);

}  // namespace rhizome::scenarios
