// How long jobs took, as a report shows it: whole distributions, and quantiles with intervals.
#pragma once

#include <span>
#include <vector>

#include "tools/markup/markup.hpp"
#include "tools/names.hpp"
#include "tools/report/material.hpp"

namespace rhizome::tools {

// The share of the jobs that took longer (the complementary distribution function), of the
// repetitions together, on logarithmic scales.
[[nodiscard]] Chart response_chart(const std::vector<Contestant>& contestants);
// The same of the time that tasks waited for their first start.
[[nodiscard]] Chart wait_chart(const std::vector<Contestant>& contestants);
// The same of the response over all work of the job.
[[nodiscard]] Chart stretch_chart(const std::vector<Contestant>& contestants);

// Adds a table of means and quantiles of response times and slowdowns, and of the means without the
// warm-up. Intervals of one repetition are those of batches of consecutive jobs; those of several
// repetitions are of their mean.
void add_responses(Element page, std::span<const Contestant> contestants);

}  // namespace rhizome::tools
