// A tournament: schedulers against each other in several scenarios, by one metric, over common
// seeds. Who is ahead of whom is a test for each pair, all of them corrected together; who cannot
// be told apart shares a place.
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
  std::vector<double> values{};  // by repetition
  Estimate mean{};
  Estimate difference{};  // from the first of the contest, paired by seed
  Estimate ratio{};       // to it
  // The places it may have: at most so many are proven better, and at least so many worse. These
  // sets hold for all entrants at once with the confidence of the tournament (Mogstad, Romano,
  // Shaikh and Wilhelm, Rev. Econ. Stud. 91, 2024).
  std::size_t best_rank = 0;
  std::size_t worst_rank = 0;
  std::string letters{};  // entrants that share one are not distinguishable

  // Who loses work or breaks rules is not ranked, however fast; nor whom the metric does not apply
  // to.
  [[nodiscard]] bool disqualified() const {
    return unfinished + violated + invalid > 0 || !mean.exists();
  }
};

// One scenario, or one cell of a sweep; the best first, those disqualified last.
struct Contest {
  std::string name;
  std::vector<Entrant> entrants;
  std::size_t ranked = 0;  // how many of them are
};

struct Tournament {
  const Metric* metric = nullptr;
  double confidence = 0.95;
  std::size_t tests = 0;  // of the family
  std::vector<Contest> contests;
  // Of those ranked in every contest, when there are several: each value divided by its contest's
  // mean over all, averaged over contests. Empty when that leaves fewer than two.
  std::vector<Contest> overall;
  std::string partial{};  // why it is of a part of the runs only; empty of a whole
};

// `metric` must have a better side. Paired by repetition, over those that all entrants of a contest
// have.
// `across` says whether a label means the same in all contests, so that there can be an overall.
[[nodiscard]] Tournament hold_tournament(std::span<const RunFigures> runs, const Metric& metric,
                                         double confidence, bool across = true);

// The widest interval of a contest: half of it, as a share of the ratio. Infinite where there is
// none; 0 where the first has nothing but zeros, to which nothing has a ratio.
[[nodiscard]] double widest(const Contest& contest);

// How many repetitions a contest should have next to come to `width`, from `now`: as many as the
// present spread suggests, at most twice as many, at most `most`. `now` when it has come there.
[[nodiscard]] std::uint32_t next_repetitions(const Contest& contest, std::uint32_t now,
                                             double width, std::uint32_t most);

[[nodiscard]] std::string text_of(const Tournament& tournament);
[[nodiscard]] std::string markdown_of(const Tournament& tournament);
// "schema": "rhizome.tournament/1".
[[nodiscard]] std::string json_of(const Tournament& tournament);

}  // namespace rhizome::tools
