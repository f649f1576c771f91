// An interrupt (Ctrl-C), a request to terminate or a terminal that is gone asks the present run to
// stop; a second one ends the program at once. Signals that were ignored from the start stay so.
#pragma once

#include <atomic>

namespace rhizome::tools {

// Installs the handlers, once; the flag turns true with the first signal.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

}  // namespace rhizome::tools
