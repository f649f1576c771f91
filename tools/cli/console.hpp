// The console: colour where it is wanted, and progress on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/peer/time.hpp"

namespace rhizome::tools {

// True when standard output is a terminal and NO_COLOR (no-color.org) is unset or empty.
[[nodiscard]] bool colour_wanted();

// Shows how far a series of runs is. On a terminal one line is rewritten; elsewhere a line is
// written for every finished run, so that logs stay short. Silent when `quiet`.
class Progress {
 public:
  Progress(std::size_t runs, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(std::string_view label);
  void tick(core::Time now);
  void finish(std::string_view result);

 private:
  void show(std::string_view text);
  void clear();
  [[nodiscard]] std::string remaining() const;

  std::size_t runs_;
  std::size_t finished_ = 0;
  bool quiet_;
  bool terminal_;
  bool shown_ = false;
  std::string label_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace rhizome::tools
