// When tasks were done, one after the other: the time of the k-th completion, by which the source
// compares schedulers (Peterson, dissertation, figures 5.12 to 5.18).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/chart/chart.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// The name of a limit's line beside those of schedulers.
inline constexpr auto fluid_limit_name = "fluid limit";

// Times of completions in seconds since the first submission, ascending.
[[nodiscard]] std::vector<double> completions_of(const Outcome& outcome);

// The completions of one scheduler, by repetition.
struct Completions {
  std::string name;
  std::vector<std::vector<double>> times{};
};

// A line for each: the mean time of the k-th completion over k, with its interval as a band, as far
// as every repetition came. `limit`: seconds in which all could be done were work divided at will,
// drawn as a line of its own.
[[nodiscard]] Chart kth_completion_chart(const std::vector<Completions>& all, double confidence,
                                         std::optional<double> limit = {});

}  // namespace rhizome::tools
