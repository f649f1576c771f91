// The capacity of several machines together: each process measures its machine, and process 0 shows
// the figures side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/limits.hpp"
#include "core/mesh/mesh.hpp"

namespace rhizome::tools {

// A limit as one process finds it.
struct LimitFound {
  std::string name;
  std::uint64_t value = 0;
  std::uint64_t peers = 0;
};
struct HostFindings {
  std::uint32_t process = 0;
  std::string host{};
  std::uint32_t cores = 1;  // cores the process may use
  std::uint32_t host_cores = 1;
  std::vector<LimitFound> limits{};  // the tightest first
  core::Duration round_trip{0};      // the best one to process 0 and back
  core::Duration clock_offset{0};    // the clock there minus process 0's
  core::Duration clock_bound{0};     // how far that may be from the truth
};

// The findings of this process, whose limits are raised first.
[[nodiscard]] HostFindings findings_here(const core::Mesh& mesh);
// At all other processes: sends the findings to process 0.
void send_findings(core::Mesh& mesh);
// At process 0: the findings of all, by process. Throws core::Unreachable if one is lost, or sends
// unreadable findings.
[[nodiscard]] std::vector<HostFindings> gather_findings(core::Mesh& mesh);

// A line for each process, the differences between them, and the peers that they can carry together
// by their limits.
[[nodiscard]] std::string text_of(const std::vector<HostFindings>& all);

}  // namespace rhizome::tools
