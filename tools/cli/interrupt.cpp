#include "tools/cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "tools/cli/command.hpp"

namespace rhizome::tools {

namespace {

std::atomic<bool> asked{false};
std::atomic<bool> at_once{false};
std::atomic<const char*> answer{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free &&
                  std::atomic<const char*>::is_always_lock_free,
              "a signal handler may use them");

void on_signal(int signal) {
  if (asked.exchange(true)) std::_Exit(128 + signal);
  if (at_once) std::_Exit(static_cast<int>(Exit::interrupted));
  if (const char* text = answer.load())
    static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text)));
}

// If the command was started with the signal ignored, as nohup does, the signal stays ignored.
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

EndsAtOnce::EndsAtOnce() {
  static_cast<void>(interrupt_flag());
  at_once = true;
}
EndsAtOnce::~EndsAtOnce() { at_once = false; }

InterruptAnswer::InterruptAnswer(const char* text) { answer = text; }
InterruptAnswer::~InterruptAnswer() { answer = nullptr; }

}  // namespace rhizome::tools
