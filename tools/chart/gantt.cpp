// A schedule may have tens of thousands of executions, and a rectangle for each makes a file that
// no viewer scrolls: they are drawn as thick broken lines, one for each colour, shade and
// thickness.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tools/chart/chart.hpp"

namespace rhizome::tools {

namespace {

constexpr std::size_t most_told = 2000;  // bars that each can be pointed at
constexpr double paler = 0.6;            // than its neighbours is every other bar of a lane

double rounded(double value, double steps) { return std::round(value * steps) / steps; }
// To the microsecond, and to a thousandth of a row or a pixel: more digits are only bytes.
double rounded_seconds(double value) { return rounded(value, 1e6); }
double rounded_length(double value) { return rounded(value, 1e3); }

// A thin gap stays free between lanes, so that slots which run tasks of one job can be
// distinguished.
double thickness(double lane_height) { return lane_height - std::min(0.5, lane_height / 8); }

std::uint32_t height_of(const std::vector<GanttBar>& bars, std::uint32_t rows) {
  std::uint32_t most_lanes = 1;
  for (const GanttBar& bar : bars) most_lanes = std::max(most_lanes, bar.lanes);
  return std::clamp<std::uint32_t>(rows * most_lanes * 4, 120, 1200);
}

// Bars of a lane come in the order of their times.
Json bar_rows(const std::vector<GanttBar>& bars, double row_height) {
  Json list = Json::array();
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> pale;  // the last of a lane
  for (const GanttBar& bar : bars) {
    const auto lanes = static_cast<double>(bar.lanes);
    bool& shade = pale.try_emplace({bar.row, bar.lane}, true).first->second;
    shade = !shade;
    list.push_back({{"row", rounded_length(bar.row + (bar.lane + 0.5) / lanes)},
                    {"thick", rounded_length(thickness(row_height / lanes))},
                    {"from", rounded_seconds(bar.from)},
                    {"until", rounded_seconds(bar.until)},
                    {"came", static_cast<int>(bar.came)},
                    {"shade", shade ? paler : 1}});
  }
  return list;
}

Json gap_rows(const std::vector<GanttGap>& gaps, double row_height) {
  Json list = Json::array();
  for (const GanttGap& gap : gaps)
    list.push_back({{"row", gap.row + 0.5},
                    {"thick", rounded_length(row_height)},
                    {"from", rounded_seconds(gap.from)},
                    {"until", rounded_seconds(gap.until)}});
  return list;
}

// Invisible marks at the places of the bars, with tooltips.
Json told_rows(const std::vector<GanttBar>& bars) {
  Json list = Json::array();
  for (const GanttBar& bar : bars) {
    const double lane = 1.0 / bar.lanes;
    list.push_back({{"task", bar.name},
                    {"peer", bar.row},
                    {"top", rounded_length(bar.row + bar.lane * lane)},
                    {"bottom", rounded_length(bar.row + (bar.lane + 1) * lane)},
                    {"from", rounded_seconds(bar.from)},
                    {"until", rounded_seconds(bar.until)}});
  }
  return list;
}

Json mark_rows(const std::vector<GanttMark>& marks) {
  Json list = Json::array();
  for (const GanttMark& mark : marks)
    list.push_back(
        {{"row", mark.row + 0.5}, {"at", rounded_seconds(mark.at)}, {"kind", mark.kind}});
  return list;
}

Json row_axis(std::uint32_t rows) {
  const Json axis{{"tickMinStep", 1}};
  return {{"field", "row"},
          {"type", "quantitative"},
          {"title", "peer"},
          {"scale", {{"reverse", true}, {"domain", {0, rows}}, {"nice", false}}},
          {"axis", axis}};
}

// Each bar becomes three points: its beginning, its end, and none, where the line breaks.
Json bar_layer(Json rows_of_bars, std::uint32_t rows, Json colour, Json shade) {
  const Json fold{{"fold", {"from", "until", "gap"}}, {"as", {"end", "at"}}};
  return {{"data", {{"values", std::move(rows_of_bars)}}},
          {"transform", Json::array({fold})},
          {"mark",
           {{"type", "line"},
            {"strokeCap", "butt"},
            {"invalid", "break-paths-show-path-domains"},
            {"aria", false}}},
          {"encoding",
           {{"x", {{"field", "at"}, {"type", "quantitative"}, {"title", "seconds"}}},
            {"y", row_axis(rows)},
            {"order", {{"value", nullptr}}},
            {"strokeWidth", {{"field", "thick"}, {"type", "quantitative"}, {"scale", nullptr}}},
            {"strokeOpacity", std::move(shade)},
            {"color", std::move(colour)}}}};
}

Json told_layer(Json rows_of_bars) {
  return {{"data", {{"values", std::move(rows_of_bars)}}},
          {"mark", {{"type", "rect"}, {"opacity", 0}, {"aria", false}}},
          {"encoding",
           {{"x", {{"field", "from"}, {"type", "quantitative"}}},
            {"x2", {{"field", "until"}}},
            {"y", {{"field", "top"}, {"type", "quantitative"}}},
            {"y2", {{"field", "bottom"}}},
            {"tooltip", told_of({"task", "peer"}, {"from", "until"})}}}};
}

// All three have their colour, whether they came or not: schedules are compared.
Json colour_of_fate() {
  return {{"field", "came"},
          {"type", "nominal"},
          {"scale", {{"domain", {0, 1, 2}}, {"range", {"#0072b2", "#e69f00", "#c2396b"}}}},
          {"title", nullptr},
          {"legend",
           {{"orient", "top"},
            {"columns", 4},
            {"symbolStrokeWidth", 6},
            {"labelExpr", "['ended', 'ended once more', 'cut off'][datum.value]"}}}};
}
Json shade_of_bar() {
  return {{"field", "shade"}, {"type", "quantitative"}, {"scale", nullptr}, {"legend", nullptr}};
}
// Seen on white and on black.
Json gap_colour() { return {{"value", "#80808059"}}; }

Json mark_layer(Json rows_of_marks) {
  return {{"data", {{"values", std::move(rows_of_marks)}}},
          {"mark", {{"type", "point"}, {"filled", true}, {"size", 8}, {"aria", false}}},
          {"encoding",
           {{"x", {{"field", "at"}, {"type", "quantitative"}}},
            {"y", {{"field", "row"}, {"type", "quantitative"}}},
            {"shape",
             {{"field", "kind"},
              {"type", "nominal"},
              {"title", nullptr},
              {"legend", {{"orient", "top"}, {"columns", 6}}}}}}}};
}

}  // namespace

Json gantt_chart(const Gantt& gantt) {
  const std::uint32_t height = height_of(gantt.bars, gantt.rows);
  const double row_height = static_cast<double>(height) / std::max<std::uint32_t>(gantt.rows, 1);
  Json spec = chart_base(Json::array());
  spec["width"] = 640;
  spec["height"] = height;
  Json layers = Json::array();
  if (!gantt.gaps.empty())
    layers.push_back(
        bar_layer(gap_rows(gantt.gaps, row_height), gantt.rows, gap_colour(), {{"value", 1}}));
  layers.push_back(
      bar_layer(bar_rows(gantt.bars, row_height), gantt.rows, colour_of_fate(), shade_of_bar()));
  if (gantt.bars.size() <= most_told) layers.push_back(told_layer(told_rows(gantt.bars)));
  layers.push_back(mark_layer(mark_rows(gantt.marks)));
  spec["layer"] = std::move(layers);
  return spec;
}

void span(Json& gantt, double until) {
  for (Json& layer : gantt["layer"].items())
    layer["encoding"]["x"]["scale"] = {{"domain", {0, until}}, {"nice", false}};
}

}  // namespace rhizome::tools
