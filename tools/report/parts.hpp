// The parts of a report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/store/record.hpp"
#include "tools/compare/compare.hpp"
#include "tools/markup/markup.hpp"
#include "tools/names.hpp"
#include "tools/report/blocks.hpp"
#include "tools/report/material.hpp"

namespace rhizome::tools {

// The share of the tasks that had completed, over time, with the band of the repetitions.
[[nodiscard]] Chart completion_chart(const std::vector<Contestant>& contestants);
// When the k-th task was completed: completion_chart() with exchanged axes.
[[nodiscard]] Chart order_chart(const std::vector<Contestant>& contestants);
// The messages of one class that each peer carried, most loaded first, on logarithmic scales; a
// null, which draws nothing, if there were no such messages.
[[nodiscard]] Chart burden_chart(const std::vector<Contestant>& contestants,
                                 core::MessageClass message_class);
// Messages for each completed task, by cause; likewise.
[[nodiscard]] Chart cause_chart(const std::vector<Contestant>& contestants);

// Makespan and messages in sentences: one for each side against the first, or one for a single
// side. For example "Against organic-grid, air-traffic took 1.50 times as long (worse) and sent
// ...".
[[nodiscard]] std::vector<std::string> verdicts_of(const Comparison& comparison);

// The comparisons of one run directory.
[[nodiscard]] std::vector<Comparison> compared_within(std::vector<RunFigures> runs);

// Whether nothing but overlays without work is compared, so that charts of tasks would be empty.
[[nodiscard]] bool overlays_alone(const std::vector<Comparison>& comparisons);

void add_comparison(Element page, const Comparison& comparison);

// The fates of tasks, scheduler beside scheduler, as a part of a report.
void add_fates(Element page, std::span<const Contestant> contestants);

// The processes that did the runs together: how far they are from each other, and how well their
// clocks are known. Nothing where one process did all.
void add_processes(Element page, const scenarios::RunRecord& record, Outline& outline);

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

// The tree, the groups or the overlay as it stood last: how many peers are in it, how deep it is,
// and how many children, workers or links a peer has. Empty where facts tell of none.
[[nodiscard]] std::string structure_text(const Outcome& outcome);

// The sentences, and the drawings of trees; nothing where no run has either.
void add_structures(Element page, std::span<const Contestant> contestants, Outline& outline);

// Adds which setting is best, and which are not distinguishable from it.
void add_sweep_verdict(Element page, const Material& material);

// The tables of the sweep, each under its chart; `charts` are those of all its sweeps in order.
void add_sweeps(Element page, const Material& material, std::span<const Chart> charts,
                Outline& outline);

// A table of each cell, folded; a hint at them where there are too many.
void add_cells(Element page, const std::vector<Comparison>& comparisons, Outline& outline);

// A row for each cell and a column for each claim; without a sweep a row for each claim.
void add_claims(Element page, const std::vector<ClaimResult>& claims, Outline& outline);

}  // namespace rhizome::tools
