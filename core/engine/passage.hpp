// What crossed from one process to another in a run, as each end has counted it for itself.
#pragma once

#include <cstdint>
#include <string>

namespace rhizome::core {

struct Passage {
  std::string from;  // "process 1 on h1"
  std::string to;
  // Packets that the first process handed over, and packets that the second received.
  std::uint64_t handed_over = 0;
  std::uint64_t received = 0;
  friend bool operator==(const Passage&, const Passage&) = default;
};

}  // namespace rhizome::core
