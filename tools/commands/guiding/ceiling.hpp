// The elastic ceiling of a scenario: how many peers, and how much faster than real time, a machine
// or several carry validly; found by short runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/swept.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "tools/cli/command.hpp"
#include "tools/launch/together.hpp"

namespace rhizome::tools {

// The rungs of a ladder are half an octave apart, so many above and below the scenario's own value:
// from a sixteenth of it to sixteen times.
inline constexpr int rungs = 8;
[[nodiscard]] double factor_of(int rung);

// The highest rung that is good, if all below a good one are, by as few trials as bisection takes;
// nothing where the lowest is not. `good` is known of rung 0, and asked of each other at most once.
[[nodiscard]] std::optional<int> highest_good(bool good_at_0, const std::function<bool(int)>& good);

class Ceiling {
 public:
  // The ceiling of the scenario that the arguments name: its first scheduler, on threads. The same
  // in all processes. Throws InputError, and UsageError for a sweep.
  explicit Ceiling(const Arguments& arguments);

  // All that may be tried.
  [[nodiscard]] const std::vector<scenarios::Cell>& cells() const { return cells_; }
  // Does the trials with all of those processes, and reports each.
  [[nodiscard]] Exit find(Together& together);

 private:
  struct Finding {
    bool good = false;
    std::string text{};    // "valid, 99 % of lags within 0.81 ms"
    std::string reason{};  // why it is no better
  };
  [[nodiscard]] Finding try_out(std::size_t cell, Together& together) const;
  // Tries a cell and reports the result; keeps the reason of the lowest bad one.
  [[nodiscard]] bool is_good(std::size_t cell, Together& together, std::string& limit);
  void recommend(std::optional<int> peers, std::optional<int> scale, std::uint32_t processes) const;

  double trial_seconds_;
  std::vector<scenarios::Cell> cells_;   // the scenario as written comes first
  std::map<int, std::size_t> by_peers_;  // cells by rung, where there can be such a one
  std::map<int, std::size_t> by_scale_;
  std::string limit_of_peers_;
  std::string limit_of_scale_;
};

}  // namespace rhizome::tools
