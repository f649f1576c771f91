#include "tools/chart/chart.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tools/chart/colours.hpp"

namespace rhizome::tools {

namespace {

Json titled(const Axis& axis) {
  if (axis.title.empty()) return nullptr;
  return axis.title;
}

Json value_axis(const std::string& field, const Axis& axis) {
  Json made{{"field", field}, {"type", "quantitative"}, {"title", titled(axis)}};
  if (axis.logarithmic) made["scale"] = {{"type", "log"}};
  return made;
}

// A logarithmic axis has no 0: an interval that reaches there is cut at the least value drawn.
void put_interval(Json& row, const Estimate& estimate, const Axis& axis, double least = 0) {
  const double low = estimate.interval ? estimate.interval->low : estimate.value;
  row["low"] = axis.logarithmic && low <= 0 ? std::min(least, estimate.value)
               : axis.not_negative          ? std::max(low, 0.0)
                                            : low;
  row["high"] = estimate.interval ? estimate.interval->high : estimate.value;
}

template <class T>
double least_of(const std::vector<T>& drawn, Estimate T::*of) {
  double least = std::numeric_limits<double>::infinity();
  for (const T& each : drawn) least = std::min(least, (each.*of).value);
  return least;
}

// The distinct words of a list, in the order of their first appearance.
template <class T, class Word>
Json in_order(const std::vector<T>& list, Word word) {
  Json order = Json::array();
  for (const T& item : list)
    if (std::ranges::find(order.items(), Json(word(item))) == order.items().end())
      order.push_back(word(item));
  return order;
}

// A series by its colour.
Json coloured(const Json& order, Json legend) {
  return {{"field", "series"}, {"type", "nominal"},
          {"sort", order},     {"scale", {{"domain", order}, {"range", colours_of(order)}}},
          {"title", nullptr},  {"legend", std::move(legend)}};
}

constexpr std::size_t chart_width = 640;  // pixels

struct BarAxes {
  bool upright;
  const char* group;
  const char* offset;
  const char* value;
  const char* end;
};
// Bars are vertical if the names of a few groups fit side by side below them; otherwise bars and
// names are horizontal.
BarAxes axes_for(const Json& groups) {
  constexpr std::size_t letter = 6;  // pixels, on average
  std::size_t longest = 0;
  for (const Json& group : groups.items())
    longest = std::max(longest, group.get<std::string>().size());
  if (groups.size() <= 4 && groups.size() * longest * letter <= chart_width)
    return {true, "x", "xOffset", "y", "y2"};
  return {false, "y", "yOffset", "x", "x2"};
}

}  // namespace

Json bar_chart(const std::vector<Bar>& bars, const Axis& groups, const Axis& values) {
  Json rows = Json::array();
  const double least = least_of(bars, &Bar::estimate);
  for (const Bar& bar : bars) {
    Json row{{"group", bar.group}, {"series", bar.series}, {"mean", bar.estimate.value}};
    put_interval(row, bar.estimate, values, least);
    if (bar.bound) row["bound"] = *bar.bound;
    rows.push_back(std::move(row));
  }
  const bool bounded =
      std::ranges::any_of(bars, [](const Bar& bar) { return bar.bound.has_value(); });
  const Json group_order = in_order(bars, [](const Bar& bar) { return bar.group; });
  const Json series_order = in_order(bars, [](const Bar& bar) { return bar.series; });
  const Json group{{"field", "group"},
                   {"type", "nominal"},
                   {"title", titled(groups)},
                   {"sort", group_order},
                   {"axis", {{"labelAngle", 0}, {"labelLimit", 0}}}};
  const Json offset{{"field", "series"}, {"sort", series_order}};
  const Json colour = coloured(series_order, {{"orient", "top"}, {"columns", 4}});
  const BarAxes axes = axes_for(group_order);
  Json spec = chart_base(std::move(rows));
  spec["width"] = chart_width;
  // Pixels of each horizontal bar: the library warns of a width that fits beside a step.
  constexpr std::size_t thickness = 16;
  spec["height"] = axes.upright ? 280 : thickness * group_order.size() * series_order.size();
  const Json mark = values.logarithmic
                        ? Json{{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}
                        : Json("bar");
  spec["layer"] = {{{"mark", mark},
                    {"encoding",
                     {{axes.group, group},
                      {axes.offset, offset},
                      {axes.value, value_axis("mean", values)},
                      {"tooltip", told_of({"group", "series"}, {"mean", "low", "high"})},
                      {"color", colour}}}},
                   {{"mark", {{"type", "rule"}, {"strokeWidth", 1.2}}},
                    {"encoding",
                     {{axes.group, group},
                      {axes.offset, offset},
                      {axes.value, value_axis("low", values)},
                      {axes.end, {{"field", "high"}}}}}}};
  if (bounded)
    spec["layer"].push_back(
        {{"mark", {{"type", "point"}, {"shape", "diamond"}, {"size", 40}, {"filled", true}}},
         {"encoding",
          {{axes.group, group},
           {axes.offset, offset},
           {axes.value, value_axis("bound", values)},
           {"tooltip", told_of({"group", "series"}, {"bound"})}}}});
  return spec;
}

Json line_chart(const std::vector<LinePoint>& points, const Axis& x, const Axis& y) {
  Json measured = Json::array();
  Json laws = Json::array();
  Json sources = Json::array();
  const double least = least_of(points, &LinePoint::y);
  for (const LinePoint& point : points) {
    Json row{{"series", point.series}, {"x", point.x}, {"mean", point.y.value}};
    put_interval(row, point.y, y, least);
    using Origin = LinePoint::Origin;
    Json& rows = point.origin == Origin::law      ? laws
                 : point.origin == Origin::source ? sources
                                                  : measured;
    rows.push_back(std::move(row));
  }
  const Json colour = coloured(in_order(points, [](const LinePoint& p) { return p.series; }),
                               {{"orient", "top"}, {"columns", 4}, {"symbolOpacity", 1}});
  const Json mean{{"x", value_axis("x", x)},
                  {"y", value_axis("mean", y)},
                  {"tooltip", told_of({"series"}, {"x", "mean", "low", "high"})},
                  {"color", colour}};
  const Json interval{{"x", value_axis("x", x)},
                      {"y", value_axis("low", y)},
                      {"y2", {{"field", "high"}}},
                      {"color", colour}};
  const bool few = measured.size() < 40 && sources.empty();
  Json spec = chart_base(std::move(measured));
  spec["width"] = chart_width;
  spec["height"] = 280;
  if (laws.empty()) {
    spec["layer"] = {{{"mark", {{"type", "area"}, {"opacity", 0.2}}}, {"encoding", interval}},
                     {{"mark", {{"type", "line"}, {"point", few}}}, {"encoding", mean}}};
  } else {
    spec["layer"] = {
        {{"data", {{"values", std::move(laws)}}}, {"mark", "line"}, {"encoding", mean}},
        {{"mark", {{"type", "rule"}, {"strokeWidth", 1.2}}}, {"encoding", interval}},
        {{"mark", {{"type", "point"}, {"filled", true}, {"size", 60}}}, {"encoding", mean}}};
  }
  if (!sources.empty())
    spec["layer"].push_back({{"data", {{"values", std::move(sources)}}},
                             {"mark", {{"type", "point"}, {"size", 60}, {"strokeWidth", 2}}},
                             {"encoding", mean}});
  return spec;
}

bool is_crowded(std::vector<double> values) {
  constexpr std::size_t few = 4;
  constexpr double wide = 30;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < few) return false;
  const double least = values.front();
  const double most = values.back();
  if (least <= 0 || most / least < wide) return false;
  const auto lowest_tenth =
      std::ranges::upper_bound(values, least + (most - least) / 10) - values.begin();
  return 2 * static_cast<std::size_t>(lowest_tenth) >= values.size();
}

}  // namespace rhizome::tools
