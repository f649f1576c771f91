// An interrupt (Ctrl-C), a request to terminate or a terminal that is gone asks the present run to
// stop; a second one ends the program at once. Signals that were ignored from the start stay so.
#pragma once

#include <atomic>

namespace rhizome::tools {

// Installs the handlers, once; the flag turns true with the first signal.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

// While it lives, whoever interrupts is told on standard error at once that he was heard, however
// long it takes until all has ended. One at a time.
class InterruptAnswer {
 public:
  // `text` lives as long as the program; nullptr: nobody is told.
  explicit InterruptAnswer(const char* text);
  ~InterruptAnswer();
  InterruptAnswer(const InterruptAnswer&) = delete;
  InterruptAnswer& operator=(const InterruptAnswer&) = delete;
};

}  // namespace rhizome::tools
