// The manners of a thread that looks on: runs come first.
#pragma once

#include <chrono>

namespace rhizome::core {

// Processor time of the calling thread so far.
[[nodiscard]] std::chrono::nanoseconds processor_time();
// Makes the calling thread wait for all others that want a processor, where the system lets it.
void give_way();

}  // namespace rhizome::core
