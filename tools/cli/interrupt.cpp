#include "tools/cli/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace rhizome::tools {

namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may write it");

void on_signal(int signal) {
  if (asked.exchange(true)) std::_Exit(128 + signal);
}

// Whoever began the command with a signal ignored, as nohup does, wants it ignored.
void handle(int signal) {
  if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

const std::atomic<bool>& interrupt_flag() {
  static const bool installed = [] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal);
    return true;
  }();
  static_cast<void>(installed);
  return asked;
}

}  // namespace rhizome::tools
