// A chart: a Vega-Lite specification with its data, and what a reader is told about it. The same
// value is drawn in a page and as an SVG file.
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
  std::string id;       // fit for a file name
  std::string title;    // a few words
  std::string caption;  // sentences: what is shown, and how it was made
  Json spec;            // Vega-Lite
};

// A chart's axis: what it shows and in which unit.
struct Axis {
  std::string title;
  bool logarithmic = false;
  bool not_negative = false;  // what it shows: an interval that reaches below 0 is cut there
};

// One bar: the mean of a series in a group, with its interval where there is one.
struct Bar {
  std::string group;
  std::string series;
  Estimate estimate;
  std::optional<double> bound{};  // what nothing is below
};

// Bars side by side within each group, in the order given, with intervals as whiskers and bounds
// as diamonds. On a logarithmic axis, which has no 0 for bars to stand on, they are points.
[[nodiscard]] Json bar_chart(const std::vector<Bar>& bars, const Axis& groups, const Axis& values);

// One point of a line, with its interval where there is one: measured, computed by a law, or as a
// source has it. A series may have all of them.
struct LinePoint {
  enum class Origin : std::uint8_t { measured, law, source };
  std::string series;
  double x = 0;
  Estimate y;
  Origin origin = Origin::measured;
};

// A line for each series, with its intervals as a band, and what a source has as circles in the
// same colour. Where there are laws, the lines are theirs and what was measured stands beside them
// as points with whiskers.
[[nodiscard]] Json line_chart(const std::vector<LinePoint>& points, const Axis& x, const Axis& y);

// One place of a heat map: the words of its column and row, and what stands in it.
struct HeatCell {
  std::string across;
  std::string down;
  double value = 0;
  std::string text;
};

// Columns and rows in the order in which they come first.
[[nodiscard]] Json heat_map(const std::vector<HeatCell>& cells, const Axis& across,
                            const Axis& down);

// What came of an execution.
enum class ExecutionEnd : std::uint8_t {
  ended,
  again,    // it ended, but another of its task had before
  cut_off,  // by a crash, a leave or the end of the run
};

// One execution in a row, in seconds. What a row does at once lies side by side on its lanes.
struct GanttBar {
  std::uint32_t row = 0;
  std::uint32_t lane = 0;   // from 0
  std::uint32_t lanes = 1;  // of the row
  double from = 0;
  double until = 0;
  ExecutionEnd came = ExecutionEnd::ended;
  std::string name{};  // told to who points at it, where bars are not too many for that
};
// Something that happened in a row at one time.
struct GanttMark {
  std::uint32_t row = 0;
  double at = 0;
  std::string kind;
};

// A time in which a row was not there.
struct GanttGap {
  std::uint32_t row = 0;
  double from = 0;
  double until = 0;
};
struct Gantt {
  std::vector<GanttBar> bars;
  std::vector<GanttMark> marks;
  std::vector<GanttGap> gaps{};  // shaded, behind all else
  std::uint32_t rows = 0;
};

// Rows down, time across; the colour tells what came of an execution.
[[nodiscard]] Json gantt_chart(const Gantt& gantt);
// Draws it from 0 to so many seconds, whatever happens in it: those that are to be compared need
// one axis.
void span(Json& gantt, double until);

}  // namespace rhizome::tools
