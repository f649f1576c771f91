// A tournament: compares schedulers with each other in several scenarios, by one metric, over
// common seeds. A test for each pair tells which one is better; all tests are corrected together.
// Schedulers that cannot be distinguished share a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/metrics.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// One scheduler in one contest.
struct Entrant {
  std::string label;
  std::size_t runs = 0;
  std::size_t unfinished = 0;    // runs in which a task never completed
  std::size_t violated = 0;      // runs that broke an invariant
  std::size_t invalid = 0;       // runs in which the emulation did not keep up
  bool bound = false;            // knows everything beforehand, so it does not compete
  std::vector<double> values{};  // by repetition
  Estimate mean{};
  Estimate difference{};  // from the first of the contest, paired by seed
  Estimate ratio{};       // to the first of the contest; a bound has one, too
  // The ranks that the entrant may have, by how many entrants are proven better and how many worse.
  // These sets hold for all entrants at once with the confidence of the tournament (Mogstad,
  // Romano, Shaikh and Wilhelm, Rev. Econ. Stud. 91, 2024).
  std::size_t best_rank = 0;
  std::size_t worst_rank = 0;
  std::string letters{};  // entrants with a common letter are not distinguishable

  // An entrant that loses work or breaks invariants is not ranked, however fast it is; nor is one
  // to which the metric does not apply, nor a bound.
  [[nodiscard]] bool sound() const { return unfinished + violated + invalid == 0 && mean.exists(); }
  [[nodiscard]] bool competes() const { return sound() && !bound; }
};

// One scenario, or one cell of a sweep. Entrants are ordered from the best on, after them bounds,
// and last those that are not sound.
struct Contest {
  std::string name;
  std::vector<Entrant> entrants;
  std::size_t ranked = 0;  // how many of the entrants are ranked
};

struct Tournament {
  const Metric* metric = nullptr;
  double confidence = 0.95;
  std::size_t tests = 0;  // the size of the family of tests
  std::vector<Contest> contests;
  // The result over all contests, if there are several, for the entrants that are ranked in every
  // one. Each value is divided by the mean of its contest over all entrants, and averaged over
  // contests. Empty if fewer than two contests or entrants remain.
  std::vector<Contest> overall;
  std::string partial{};  // why only a part of the runs is included; empty for all
};

// `metric` must have a better direction. Runs are paired by repetition, over the repetitions that
// all entrants of a contest have. `across`: whether a label means the same in all contests, so that
// an overall result makes sense.
[[nodiscard]] Tournament hold_tournament(std::span<const RunFigures> runs, const Metric& metric,
                                         double confidence, bool across = true);

// Half the width of the widest interval of a contest, as a share of its ratio. Infinite if an
// interval is missing; 0 if the first entrant has only zeros, because then no ratio exists.
[[nodiscard]] double widest(const Contest& contest);

// The number of repetitions that a contest should have next, after `now`, to reach `width`: as many
// as the present spread suggests, but at most twice as many as now, and at most `most`. `now` if
// the width is reached.
[[nodiscard]] std::uint32_t next_repetitions(const Contest& contest, std::uint32_t now,
                                             double width, std::uint32_t most);

[[nodiscard]] std::string text_of(const Tournament& tournament);
[[nodiscard]] std::string markdown_of(const Tournament& tournament);
// "schema": "rhizome.tournament/1".
[[nodiscard]] std::string json_of(const Tournament& tournament);

}  // namespace rhizome::tools
