// Interrupts: the first SIGINT (Ctrl-C), SIGTERM or SIGHUP asks the present run to stop; a second
// one ends the program at once. Signals that were ignored at the start stay ignored.
#pragma once

#include <atomic>

namespace rhizome::tools {

// Installs the handlers on the first call. The flag becomes true with the first signal.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

// While this object lives, the first interrupt ends the program at once: an input is read, however
// long it is, and nothing has begun that would have to be ended. One object at a time.
class EndsAtOnce {
 public:
  EndsAtOnce();
  ~EndsAtOnce();
  EndsAtOnce(const EndsAtOnce&) = delete;
  EndsAtOnce& operator=(const EndsAtOnce&) = delete;
};

// While this object lives, an interrupt is acknowledged on standard error at once, even if the runs
// under way take long to end. One object at a time.
class InterruptAnswer {
 public:
  // `text` must live as long as the program; nullptr: no acknowledgement.
  explicit InterruptAnswer(const char* text);
  ~InterruptAnswer();
  InterruptAnswer(const InterruptAnswer&) = delete;
  InterruptAnswer& operator=(const InterruptAnswer&) = delete;
};

}  // namespace rhizome::tools
