// An interrupt (Ctrl-C) or a request to terminate asks the present run to stop; a second one ends
// the program at once.
#pragma once

#include <atomic>

namespace rhizome::tools {

// Installs the handlers, once; the flag turns true with the first signal.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

}  // namespace rhizome::tools
