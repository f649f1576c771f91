// What crossed from one process to another in a run, as each end has counted it for itself.
#pragma once

#include <cstdint>
#include <string>

namespace rhizome::core {

struct Passage {
  std::string from;  // "process 1 on h1"
  std::string to;
  // Packets: those that the first put on the way, and those that came to the second.
  std::uint64_t handed_over = 0;
  std::uint64_t received = 0;
  friend bool operator==(const Passage&, const Passage&) = default;
};

}  // namespace rhizome::core
