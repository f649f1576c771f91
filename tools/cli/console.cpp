#include "tools/cli/console.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace rhizome::tools {

namespace {

std::string minutes(double seconds) {
  const long whole = std::lround(seconds);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// "12.3 s emulated". For a run of known length, adds the length and the percentage. For another
// run, adds the time limit once more than a tenth of it has passed.
std::string emulated(const Advance& run) {
  const double now = core::seconds(run.now);
  const double limit = core::seconds(run.limit);
  if (run.whole == core::Duration::zero())
    return fmt::format("{:.1f} s emulated", now) +
           (limit > 0 && now > limit / 10 ? fmt::format(" of {:.5g} s at most", limit) : "");
  const double whole = core::seconds(run.whole);
  return fmt::format("{:.1f} of {:.1f} s emulated ({:.0f} %)", now, whole, 100 * now / whole);
}

// ", 34 % of 92026 tasks done".
std::string share_done(const Advance& run) {
  if (run.tasks == 0) return "";
  const double share = static_cast<double>(run.completed) / static_cast<double>(run.tasks);
  return fmt::format(", {:.0f} % of {} tasks done", std::floor(100 * share), run.tasks);
}

}  // namespace

bool output_is_terminal() { return isatty(STDOUT_FILENO) == 1; }

bool colour_wanted() {
  const char* refusal = std::getenv("NO_COLOR");
  return output_is_terminal() && (refusal == nullptr || *refusal == '\0');
}

std::size_t output_columns() {
  constexpr std::size_t usual = 80;
  winsize size{};
  const bool told = output_is_terminal() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return told && size.ws_col > 0 ? size.ws_col : usual;
}

// In the background the last line of the terminal is another program's. A terminal that is not this
// process's own, such as one that a program reads, has no background.
Screen Screen::standard_error(bool quiet) {
  const pid_t front = tcgetpgrp(STDERR_FILENO);
  const bool in_front = isatty(STDERR_FILENO) == 1 && (front < 0 || front == getpgrp());
  return {.quiet = quiet, .terminal = in_front, .draw = [](std::string_view text) {
            std::fwrite(text.data(), 1, text.size(), stderr);  // a terminal may be gone by now
            std::fflush(stderr);
          }};
}

Progress::Progress(const Screen& screen)
    : screen_(screen), began_(std::chrono::steady_clock::now()), spoke_(began_) {}

Progress::~Progress() { clear(); }

std::string left_text(std::size_t done, std::size_t runs, std::chrono::duration<double> took,
                      std::chrono::duration<double> since) {
  if (done == 0 || done >= runs) return "";
  const double each = took.count() / static_cast<double>(done);
  const double current = std::max(each - since.count(), 0.0);
  const double left = current + each * static_cast<double>(runs - done - 1);
  return left > 0 ? ", about " + minutes(left) + " left" : "";
}

// After the last run, the time that all took.
std::string Progress::remaining() const {
  const auto now = std::chrono::steady_clock::now();
  if (done_ == 0 || told_ < runs_) return left_text(done_, runs_, ended_ - began_, now - ended_);
  return ", " + minutes(std::chrono::duration<double>(now - began_).count()) + " in all";
}

void Progress::done() {
  ++done_;
  ended_ = std::chrono::steady_clock::now();
}

void Progress::show(const Advance& run, std::size_t others) {
  if (screen_.quiet) return;
  const std::string more = others == 0 ? "" : fmt::format(" and {} more", others);
  const std::string text = fmt::format("[{}/{}] {}, {}{}{}{}", done_, runs_, run.label,
                                       emulated(run), share_done(run), more, remaining());
  if (screen_.terminal) {
    screen_.draw("\r\033[K" + text);
    shown_ = true;
  } else if (const auto now = std::chrono::steady_clock::now(); now - spoke_ >= screen_.patience) {
    spoke_ = now;
    screen_.tell(text);
  }
}

void Progress::tell(std::string_view label, std::string_view result) {
  ++told_;
  if (screen_.quiet || screen_.terminal) return;
  spoke_ = std::chrono::steady_clock::now();
  screen_.tell(fmt::format("[{}/{}] {}: {}{}", told_, runs_, label, result, remaining()));
}

const char* Progress::answer_to_interrupt() const {
  if (screen_.quiet || !screen_.terminal) return nullptr;
  return "\r\033[Krhizome: interrupted: what is under way ends now (once more: at once)\n";
}

void Progress::interrupted() {
  clear();
  if (!screen_.quiet) screen_.warn(fmt::format("interrupted after {} of {} runs", told_, runs_));
}

void Progress::clear() {
  if (shown_) screen_.draw("\r\033[K");
  shown_ = false;
}

}  // namespace rhizome::tools
