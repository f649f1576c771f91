// The console: whether colour is wanted, the width of the output, and progress on standard error.
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

// Whether standard output goes to a terminal.
[[nodiscard]] bool output_is_terminal();

// The columns of the terminal on standard output; 80 if it is no terminal or does not tell its
// width.
[[nodiscard]] std::size_t output_columns();

// Where progress is shown: by default standard error.
struct Screen {
  [[nodiscard]] static Screen standard_error(bool quiet);

  bool quiet = false;     // no progress is shown
  bool terminal = false;  // the last line can be overwritten
  std::function<void(std::string_view)> draw;
  std::function<void(std::string_view)> tell = tools::tell;
  std::function<void(std::string_view)> warn = tools::warn;
  std::chrono::nanoseconds patience = std::chrono::minutes(1);  // between lines in a log
};

// A run under way: its progress, and its emulated length or time limit if they are known.
struct Advance {
  std::string label;
  core::Time now{};
  core::Duration whole{0};      // 0: the run lasts until all tasks are done
  core::Duration limit{0};      // 0: no limit
  std::uint64_t completed = 0;  // tasks
  std::uint64_t tasks = 0;      // in total; 0: not known
};

// ", about 2:08 left", of `runs` runs, the first `done` of which took so long, and the last of them
// ended so long ago. Empty if that cannot be estimated: no run is done, or the last one already
// takes longer than the others.
[[nodiscard]] std::string left_text(std::size_t done, std::size_t runs,
                                    std::chrono::duration<double> took,
                                    std::chrono::duration<double> since);

// Shows the progress of a series of runs. On a terminal it rewrites one line. Elsewhere it writes
// one line for each finished run, which keeps logs short, and a line about the run under way after
// a minute without output. Calls must not be concurrent.
class Progress {
 public:
  explicit Progress(const Screen& screen);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Announces so many more runs.
  void expect(std::size_t runs) { runs_ += runs; }
  // Shows one of the runs under way, and the number of the others.
  void show(const Advance& run, std::size_t others);
  // A run has ended; its result may be told later.
  void done();
  // Tells the result of the next run.
  void tell(std::string_view label, std::string_view result);
  // The text that is shown at once on an interrupt, before the runs under way have ended; nullptr
  // if there is no terminal or output is unwanted.
  [[nodiscard]] const char* answer_to_interrupt() const;
  // Tells that the series was interrupted; no further results follow.
  void interrupted();
  // Erases the line of progress before other output is written.
  void clear();

 private:
  [[nodiscard]] std::string remaining() const;

  const Screen screen_;
  std::size_t runs_ = 0;
  std::size_t done_ = 0;
  std::size_t told_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point ended_;  // the last run that is done
  std::chrono::steady_clock::time_point spoke_;  // last line in a log
};

}  // namespace rhizome::tools
