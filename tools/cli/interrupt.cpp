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

}  // namespace

const std::atomic<bool>& interrupt_flag() {
  static const bool installed = [] {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    return true;
  }();
  static_cast<void>(installed);
  return asked;
}

}  // namespace rhizome::tools
