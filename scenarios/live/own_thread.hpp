// What a thread asks of the system about itself.
#pragma once

#include <chrono>

namespace rhizome::scenarios::live {

// That this thread has taken since it began.
[[nodiscard]] std::chrono::nanoseconds processor_time_of_this_thread();

// Others come first from now on. Where the system refuses, nothing changes.
void give_way();

}  // namespace rhizome::scenarios::live
