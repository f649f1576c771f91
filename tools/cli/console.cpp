#include "tools/cli/console.hpp"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace rhizome::tools {

namespace {

std::string minutes(double seconds) {
  std::array<char, 32> text{};
  const long whole = std::lround(seconds);
  std::snprintf(text.data(), text.size(), "%ld:%02ld", whole / 60, whole % 60);
  return text.data();
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
  std::array<char, 64> time{};
  std::snprintf(time.data(), time.size(), ", %.1f s emulated", core::seconds(now));
  show("[" + std::to_string(finished_ + 1) + "/" + std::to_string(runs_) + "] " + label_ +
       time.data() + remaining());
}

void Progress::finish(std::string_view result) {
  ++finished_;
  if (quiet_ || terminal_) return;
  std::fprintf(stderr, "[%zu/%zu] %s: %.*s%s\n", finished_, runs_, label_.c_str(),
               static_cast<int>(result.size()), result.data(), remaining().c_str());
}

void Progress::show(std::string_view text) {
  if (quiet_) return;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()), text.data());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace rhizome::tools
