// The console: colour where it is wanted, and progress on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/peer/time.hpp"
#include "tools/cli/messages.hpp"

namespace rhizome::tools {

// True when standard output is a terminal and NO_COLOR (no-color.org) is unset or empty.
[[nodiscard]] bool colour_wanted();

// Whether somebody would read standard output as it comes.
[[nodiscard]] bool output_is_terminal();

// How wide the terminal is that standard output goes to; 80 where it is none, or does not say.
[[nodiscard]] std::size_t output_columns();

// Where progress is shown: standard error, unless somebody says otherwise.
struct Screen {
  [[nodiscard]] static Screen standard_error(bool quiet);

  bool quiet = false;     // nothing of progress
  bool terminal = false;  // whose last line can be drawn over
  std::function<void(std::string_view)> draw;
  std::function<void(std::string_view)> tell = tools::tell;
  std::function<void(std::string_view)> warn = tools::warn;
  std::chrono::nanoseconds patience = std::chrono::minutes(1);  // without a word in a log
};

// A run under way: how far it is, and the emulated time that it takes if that is known, or may
// take.
struct Advance {
  std::string label;
  core::Time now{};
  core::Duration whole{0};      // 0: until all is done
  core::Duration limit{0};      // 0: none
  std::uint64_t completed = 0;  // tasks
  std::uint64_t tasks = 0;      // in all; 0: nobody knows
};

// Shows how far a series of runs is. On a terminal one line is rewritten; elsewhere a line is
// written for every run that is told, so that logs stay short, and one of the run under way when
// nothing else was for a minute. One thread at a time.
class Progress {
 public:
  explicit Progress(const Screen& screen);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // So many more runs are to come.
  void expect(std::size_t runs) { runs_ += runs; }
  // One of the runs under way, and how many others there are.
  void show(const Advance& run, std::size_t others);
  // A run is done, though it may be told later.
  void done() { ++done_; }
  // What came of the next run.
  void tell(std::string_view label, std::string_view result);
  // What is shown at the moment of an interrupt, before the runs under way have ended; nullptr
  // where nobody looks on.
  [[nodiscard]] const char* answer_to_interrupt() const;
  // No more of them will be told.
  void interrupted();
  // Takes the line away before something else is written.
  void clear();

 private:
  [[nodiscard]] std::string remaining() const;

  const Screen screen_;
  std::size_t runs_ = 0;
  std::size_t done_ = 0;
  std::size_t told_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point spoke_;  // last, to a log
};

}  // namespace rhizome::tools
