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

Screen Screen::standard_error(bool quiet) {
  return {.quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
}

Progress::Progress(const Screen& screen)
    : screen_(screen), began_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

// Judged by the runs that are done, so there is none before the first.
std::string Progress::remaining() const {
  if (done_ == 0) return "";
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
  const double each = spent.count() / static_cast<double>(done_);
  return ", about " + minutes(each * static_cast<double>(runs_ - done_)) + " left";
}

void Progress::show(std::string_view label, core::Time now, std::size_t others) {
  if (screen_.quiet || !screen_.terminal) return;
  const std::string more = others == 0 ? "" : " and " + std::to_string(others) + " more";
  std::fprintf(screen_.out, "\r\033[K[%zu/%zu] %.*s, %.1f s emulated%s%s", done_, runs_,
               static_cast<int>(label.size()), label.data(), core::seconds(now), more.c_str(),
               remaining().c_str());
  std::fflush(screen_.out);
  shown_ = true;
}

void Progress::tell(std::string_view label, std::string_view result) {
  ++told_;
  if (screen_.quiet || screen_.terminal) return;
  std::fprintf(screen_.out, "[%zu/%zu] %.*s: %.*s%s\n", told_, runs_,
               static_cast<int>(label.size()), label.data(), static_cast<int>(result.size()),
               result.data(), remaining().c_str());
}

void Progress::interrupted() {
  clear();
  if (!screen_.quiet)
    std::fprintf(screen_.out, "rhizome: interrupted after %zu of %zu runs\n", told_, runs_);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", screen_.out);
  shown_ = false;
}

}  // namespace rhizome::tools
