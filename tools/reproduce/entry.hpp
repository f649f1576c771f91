// A published result as data: the claims of the source, the test of each claim, the scenario to
// run, and the figures. One TOML file each, in scenarios/reproductions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/format/claim.hpp"
#include "scenarios/format/document.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/law.hpp"

namespace rhizome::tools {

// The relation that a claim states about the cells of its study.
enum class TestKind : std::uint8_t {
  less,     // A < B, or A / B < 3
  greater,  // A > B, or A / B > 3
  equal,    // A = B, A = 3: the interval of the ratio lies within 1 ± `within`, or that of the
            // difference from a number within ± `within_absolute`
  largest,  // A, or A / B, is larger in the cells of `where` than in all others
  same,     // A does not change by more than `within` across the values of one key
  near      // the mean of A is a published figure, but for a share of `within` or
        // `within_absolute`; of a law: the interval of the ratio to it lies within 1 ± `within`
};

// Where a claim or its figure comes from.
enum class Origin : std::uint8_t {
  published,  // the source says so
  derived,    // computed from what the source says
  ours,       // our own claim, of which the source says nothing
  last = ours
};

[[nodiscard]] std::string_view name_of(Origin origin);

// A / divisor where there is one.
struct Quantity {
  Operand operand;
  std::optional<Operand> divisor{};
};

struct PublishedClaim {
  std::string says;  // the claim in words
  Origin origin = Origin::published;
  TestKind kind = TestKind::less;
  Quantity left;
  std::variant<std::monostate, Operand, double> right{};
  // Cells in which it is to hold, as "peers.count=100 workload.jobs=800"; none: every cell.
  std::vector<std::string> where{};
  std::vector<std::string> except{};  // cells that are left out, in the same form
  Position places_at{};               // where the file names any of them, or of the points
  std::string across{};               // for same: the key
  double within = 0;                  // for equal, same and near: a fraction
  double within_absolute = 0;         // for near and A = 3: in the metric's unit
  // For near: the figure at each value of the key `across`, as it is written in the scenario.
  std::vector<std::pair<std::string, double>> points{};
  // For near: the law that computes the points, which apply_laws fills in; empty: the points are
  // published.
  std::string law{};
  Position law_at{};
  QueueSystem system{};        // for a law: the first cell, for its curve
  bool messages_only = false;  // published in messages, so not counted in portions
  std::string test;            // as written
  Position test_at{};
};

// The contents of a figure.
enum class Shows : std::uint8_t {
  metric,       // bars of one metric, cell by cell; or lines across the values of one key, with the
                // published points beside them, or the curves of laws
  completions,  // when the k-th task was completed, of a study of one cell
  schedule,     // executions of all peers in the first repetition, by label
  last = schedule
};

struct PublishedFigure {
  Shows shows = Shows::metric;
  Position shows_at{};  // where `shows` is written
  std::string metric;
  std::string bound{};  // a metric that nothing is below, drawn beside
  std::vector<std::string> labels;
  std::string across{};                              // the key; empty: bars
  std::vector<std::pair<std::string, double>> at{};  // its values, and where they are drawn
  Position places_at{};                              // where those are named
  Position at_load{};  // where drawn_at = "load" is written; apply_laws computes places
  std::string axis{};  // label of the horizontal axis
  bool logarithmic = false;

  [[nodiscard]] bool drawn_at_load() const { return !at_load.file.empty(); }
};

struct Reproduction {
  std::string name;  // "organic-grid/fig5-1"
  std::string title;
  std::string source;
  std::string study;  // the scenario file
  std::string note;   // a remark on the study for readers, if any
  std::string data;   // the file that the study reads and the user provides, if any
  std::vector<PublishedClaim> claims;
  std::vector<PublishedFigure> figures;
};

// Throws InputError with the position of whatever is wrong.
[[nodiscard]] Reproduction parse_reproduction(std::string_view text, const std::string& file);

// Every published result, in the order of `rhizome reproduce --list`.
[[nodiscard]] std::vector<Reproduction> all_reproductions();
// The scenario of a study, "" when there is no such file.
[[nodiscard]] std::string_view study_text(const std::string& file);

}  // namespace rhizome::tools
