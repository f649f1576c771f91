// Resources that a process has used, as reported by the system.
#pragma once

#include <cstdint>
#include <optional>

namespace rhizome::tools {

struct ProcessUsage {
  double processor_seconds = 0;
  double resident_bytes = 0;
  double threads = 0;
};
// Nothing of a process that there is not.
[[nodiscard]] std::optional<ProcessUsage> usage_of(std::uint64_t process);
// Processor time of this process.
[[nodiscard]] double own_processor_seconds();

}  // namespace rhizome::tools
