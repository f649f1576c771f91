#include "core/child/sweep.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "core/child/children.hpp"

namespace rhizome::core {

namespace {

// Waits a little longer each time, as long as nothing has ended: a descendant with other rights
// cannot be killed.
class Pause {
 public:
  void take() {
    usleep(length_);
    length_ = std::min(2 * length_, longest);
  }
  void end() { length_ = shortest; }

 private:
  static constexpr useconds_t shortest = 500;
  static constexpr useconds_t longest = 50'000;
  useconds_t length_ = shortest;
};

bool has_ended(pid_t child) {
  siginfo_t end{};
  const auto number = static_cast<id_t>(child);
  return waitid(P_PID, number, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid == child;
}

}  // namespace

void sweep() {
  for (Pause pause;;) {
    const pid_t gone = waitpid(-1, nullptr, WNOHANG);
    if (gone < 0 && errno == ECHILD) return;
    if (gone > 0) {
      pause.end();
      continue;
    }
    for (const pid_t each : children_of_this()) kill(each, SIGKILL);
    pause.take();
  }
}

int end_with_all(pid_t child) {
  for (Pause pause;; pause.take()) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);  // it may have left its group
    bool alone = has_ended(child);
    for (const pid_t each : children_of_this()) {
      if (each == child) continue;
      alone = false;
      kill(each, SIGKILL);
      if (waitpid(each, nullptr, WNOHANG) > 0) pause.end();
    }
    if (alone) break;
  }
  int status = 0;
  waitpid(child, &status, 0);
  sweep();
  return status;
}

}  // namespace rhizome::core
