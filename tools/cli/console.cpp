#include "tools/cli/console.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tools/cli/messages.hpp"

namespace rhizome::tools {

namespace {

std::string minutes(double seconds) {
  const long whole = std::lround(seconds);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

bool colour_wanted() {
  const char* refusal = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (refusal == nullptr || *refusal == '\0');
}

Progress::Progress(std::size_t runs, bool quiet)
    : runs_(runs),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      began_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

// Judged by the runs that have finished, so there is none before the first.
std::string Progress::remaining() const {
  if (finished_ == 0) return "";
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
  const double each = spent.count() / static_cast<double>(finished_);
  return ", about " + minutes(each * static_cast<double>(runs_ - finished_)) + " left";
}

void Progress::begin(std::string_view label) {
  label_ = label;
  if (terminal_) tick(core::Time{});
}

void Progress::tick(core::Time now) {
  if (!terminal_) return;
  show(fmt::format("[{}/{}] {}, {:.1f} s emulated{}", finished_ + 1, runs_, label_,
                   core::seconds(now), remaining()));
}

void Progress::finish(std::string_view result) {
  ++finished_;
  if (quiet_ || terminal_) return;
  tell(fmt::format("[{}/{}] {}: {}{}", finished_, runs_, label_, result, remaining()));
}

void Progress::show(std::string_view text) {
  if (quiet_) return;
  fmt::print(stderr, "\r\033[K{}", text);  // drawn over, so no message
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace rhizome::tools
