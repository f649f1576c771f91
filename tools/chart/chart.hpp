// A chart: a Vega-Lite specification with its data, its title and its caption. The same value is
// drawn in a page and as an SVG file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/text/json.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct Chart {
  std::string id{};     // fit for a file name
  std::string title;    // a few words
  std::string caption;  // sentences: what is shown, and how it was made
  Json spec{};          // Vega-Lite
};

// A chart's axis: its quantity and unit.
struct Axis {
  std::string title;
  bool logarithmic = false;
  bool not_negative = false;  // the quantity; an interval that reaches below 0 is cut at 0
};

// One bar: the mean of a series in a group, with its confidence interval if there is one.
struct Bar {
  std::string group;
  std::string series;
  Estimate estimate;
  std::optional<double> bound{};  // a lower bound of the values
};

// Bars side by side within each group, in the order given, with intervals as whiskers and bounds as
// diamonds. On a logarithmic axis, which has no 0 where bars could begin, they are points.
[[nodiscard]] Json bar_chart(const std::vector<Bar>& bars, const Axis& groups, const Axis& values);

// One point of a line, with its interval if there is one: measured, computed by a law, or published
// by a source. A series may have points of all three origins.
struct LinePoint {
  enum class Origin : std::uint8_t { measured, law, source };
  std::string series;
  double x = 0;
  Estimate y;
  Origin origin = Origin::measured;
};

// A line for each series, with its intervals as a band, and the values of a source as circles in
// the same colour. If there are laws, the lines show the laws, and measured values are points with
// whiskers.
[[nodiscard]] Json line_chart(const std::vector<LinePoint>& points, const Axis& x, const Axis& y);

// One cell of a heat map: the labels of its column and row, its value, and the text in it.
struct HeatCell {
  std::string across;
  std::string down;
  double value = 0;
  std::string text;
};

// Columns and rows keep the order in which they first occur.
[[nodiscard]] Json heat_map(const std::vector<HeatCell>& cells, const Axis& across,
                            const Axis& down);

// How an execution ended.
enum class ExecutionEnd : std::uint8_t {
  ended,
  again,    // it ended after another execution of its task
  cut_off,  // by a crash, a leave or the end of the run
};

// One execution in a row; times in seconds. Simultaneous executions of a row are drawn on separate
// lanes.
struct GanttBar {
  std::uint32_t row = 0;
  std::uint32_t lane = 0;   // from 0
  std::uint32_t lanes = 1;  // of the row
  double from = 0;
  double until = 0;
  ExecutionEnd came = ExecutionEnd::ended;
  std::string name{};  // shown when the pointer is on the bar, unless there are too many bars
};
// An event in a row at one time.
struct GanttMark {
  std::uint32_t row = 0;
  double at = 0;
  std::string kind;
};

// A time in which the peer of a row was absent.
struct GanttGap {
  std::uint32_t row = 0;
  double from = 0;
  double until = 0;
};
struct Gantt {
  std::vector<GanttBar> bars;
  std::vector<GanttMark> marks;
  std::vector<GanttGap> gaps{};  // shaded, behind everything else
  std::uint32_t rows = 0;
};

// Rows down, time across; the colour tells how an execution ended.
[[nodiscard]] Json gantt_chart(const Gantt& gantt);
// Sets the time axis from 0 to `until` seconds, whatever the chart contains: charts that are
// compared need the same axis.
void span(Json& gantt, double until);

// At least four values, all above 0, the greatest at least 30 times the least, and at least half of
// them in the lowest tenth of the range. Equal values count once.
[[nodiscard]] bool is_crowded(std::vector<double> values);

// The common beginning of every chart's specification: its data, its font and its palette.
[[nodiscard]] Json chart_base(Json values);

// The tooltip of a mark: those fields, with numbers of four digits.
[[nodiscard]] Json told_of(const std::vector<std::string>& words,
                           const std::vector<std::string>& numbers);

}  // namespace rhizome::tools
