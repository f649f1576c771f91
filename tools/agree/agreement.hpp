// Decides whether two engines agree: equivalence within a margin, metric by metric, by two
// one-sided tests (Schuirmann, J. Pharmacokin. Biopharm. 15, 1987). A test that finds no difference
// does not prove equality; these tests assume a difference, and reject it only if the data show
// agreement.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/agree/phases.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// A metric and how far the engines may differ in it, as a share of the mean in virtual time.
struct Margin {
  std::string metric;
  double share = 0.05;
};

// Message totals 5 %; makespan and utilisation 10 %; the most loaded peers 15 %, for their burdens
// vary most from run to run: second and third 30 %; depth 10 %.
[[nodiscard]] std::vector<Margin> default_margins();

// A side of the comparison: its name as a column, which is also its name in the identity of runs,
// and the word before "run".
struct Contender {
  std::string name;
  std::string run;
};
struct Contenders {
  Contender judged{"threads", "thread"};
  Contender reference{"virtual", "virtual"};
};
// Threads of several processes, beside those of one.
[[nodiscard]] inline Contenders several_beside_one() {
  return {{"several", "several-process"}, {"one", "one-process"}};
}

// One run under one engine.
struct EngineRun {
  RunFigures figures;
  PhaseFigures phases;
};

enum class Equivalence : std::uint8_t {
  inapplicable,  // the metric applies to no run of either engine
  equivalent,    // the interval lies within the margin
  too_wide,      // it reaches out of the margin: more runs would tell
  different,     // it lies wholly outside
  last = different
};
[[nodiscard]] std::string_view name_of(Equivalence equivalence);

struct MetricAgreement {
  Margin margin;
  Estimate threads;
  Estimate virtual_time;
  Estimate ratio;  // threads / virtual, with the 90 % interval of two one-sided tests at 5 % each
  Equivalence verdict = Equivalence::too_wide;
  std::size_t more_runs = 0;  // of each engine, when too wide; 0 when no number would do
  // The first tenth of the tasks (from 1) at whose end the engines differ, if they do. If the runs
  // kept too little to tell, `phases_known` is false.
  std::optional<std::size_t> first_phase{};
  bool phases_known = true;
};

// Runs of one side at one level of validity other than valid.
struct DoubtfulRuns {
  Contender side;
  Validity::Level level = Validity::Level::suspect;
  std::size_t runs = 0;
  std::size_t of = 0;    // runs of that side
  std::string reason{};  // of the run that lagged most
};

struct Agreement {
  Contenders sides;
  std::string label;
  std::string cell;
  std::size_t runs = 0;  // of each side
  std::size_t invalid = 0;
  std::size_t unsound = 0;   // a task never completed, or an invariant was broken
  std::size_t repeated = 0;  // invalid ones that were put aside, and done again
  std::vector<DoubtfulRuns> doubts{};
  std::vector<MetricAgreement> metrics{};
};

// The number of runs of each engine that bring both one-sided tests at 5 % inside a margin with a
// probability of 80 %. `deviation` is that of one run's difference, `room` the rest of the margin
// beside the estimated difference, both as shares of the mean. 0 if a thousand would not be enough.
[[nodiscard]] std::size_t needed_runs(double deviation, double room);

// Runs of both engines, any number of labels and cells; paired by seed where both have the same.
[[nodiscard]] std::vector<Agreement> agree(std::span<const EngineRun> runs,
                                           std::span<const Margin> margins,
                                           const Contenders& sides = {});

// The gravest: different, then too wide. Unsound runs are too wide at best; invalid ones too wide
// at best and at worst, because a machine that cannot keep up proves nothing either way.
[[nodiscard]] Equivalence overall(std::span<const Agreement> agreements);

// `partial`: why only a part of the runs is included; empty if all are. JSON has no verdict without
// an agreement.
[[nodiscard]] std::string text_of(std::span<const Agreement> agreements,
                                  const std::string& partial = {});
[[nodiscard]] std::string json_of(std::span<const Agreement> agreements,
                                  const std::string& partial = {});

}  // namespace rhizome::tools
