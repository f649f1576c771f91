#include "scenarios/chart/chart.hpp"

#include <algorithm>

namespace rhizome::scenarios {

namespace {

// Okabe and Ito's colours, which the colour-blind tell apart, without the yellow that white drowns.
Json colours() {
  return {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d31", "#999999"};
}

Json base(Json values) {
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
          {"data", {{"values", std::move(values)}}},
          {"config",
           {{"font", "sans-serif"},
            {"view", {{"stroke", nullptr}}},
            {"point", {{"color", "black"}}},
            {"range", {{"category", colours()}}},
            {"axis", {{"grid", true}, {"gridOpacity", 0.3}}}}}};
}

Json titled(const Axis& axis) {
  if (axis.title.empty()) return nullptr;
  return axis.title;
}

Json value_axis(const std::string& field, const Axis& axis) {
  Json made{{"field", field}, {"type", "quantitative"}, {"title", titled(axis)}};
  if (axis.logarithmic) made["scale"] = {{"type", "log"}};
  return made;
}

void put_interval(Json& row, const Estimate& estimate) {
  row["low"] = estimate.interval ? estimate.interval->low : estimate.value;
  row["high"] = estimate.interval ? estimate.interval->high : estimate.value;
}

// The distinct words of a list, in the order of their first appearance.
template <class T, class Word>
Json in_order(const std::vector<T>& list, Word word) {
  Json order = Json::array();
  for (const T& item : list)
    if (std::find(order.begin(), order.end(), word(item)) == order.end())
      order.push_back(word(item));
  return order;
}

}  // namespace

Json bar_chart(const std::vector<Bar>& bars, const Axis& groups, const Axis& values) {
  Json rows = Json::array();
  for (const Bar& bar : bars) {
    Json row{{"group", bar.group}, {"series", bar.series}, {"mean", bar.estimate.value}};
    put_interval(row, bar.estimate);
    rows.push_back(std::move(row));
  }
  const Json group_order = in_order(bars, [](const Bar& bar) { return bar.group; });
  const Json series_order = in_order(bars, [](const Bar& bar) { return bar.series; });
  const Json x{{"field", "group"},
               {"type", "nominal"},
               {"title", titled(groups)},
               {"sort", group_order},
               {"axis", {{"labelAngle", group_order.size() > 4 ? -30 : 0}, {"labelLimit", 0}}}};
  const Json offset{{"field", "series"}, {"sort", series_order}};
  const Json colour{{"field", "series"},
                    {"type", "nominal"},
                    {"sort", series_order},
                    {"title", nullptr},
                    {"legend", {{"orient", "top"}, {"columns", 4}}}};
  Json spec = base(std::move(rows));
  spec["width"] = 640;
  spec["height"] = 280;
  spec["layer"] = {
      {{"mark", "bar"},
       {"encoding",
        {{"x", x}, {"xOffset", offset}, {"y", value_axis("mean", values)}, {"color", colour}}}},
      {{"mark", {{"type", "rule"}, {"strokeWidth", 1.2}}},
       {"encoding",
        {{"x", x},
         {"xOffset", offset},
         {"y", value_axis("low", values)},
         {"y2", {{"field", "high"}}}}}}};
  return spec;
}

Json line_chart(const std::vector<LinePoint>& points, const Axis& x, const Axis& y) {
  Json rows = Json::array();
  for (const LinePoint& point : points) {
    Json row{{"series", point.series}, {"x", point.x}, {"mean", point.y.value}};
    put_interval(row, point.y);
    rows.push_back(std::move(row));
  }
  const Json colour{{"field", "series"},
                    {"type", "nominal"},
                    {"sort", in_order(points, [](const LinePoint& p) { return p.series; })},
                    {"title", nullptr},
                    {"legend", {{"orient", "top"}, {"columns", 4}}}};
  Json spec = base(std::move(rows));
  spec["width"] = 640;
  spec["height"] = 280;
  spec["layer"] = {
      {{"mark", {{"type", "area"}, {"opacity", 0.2}}},
       {"encoding",
        {{"x", value_axis("x", x)},
         {"y", value_axis("low", y)},
         {"y2", {{"field", "high"}}},
         {"color", colour}}}},
      {{"mark", {{"type", "line"}, {"point", points.size() < 40}}},
       {"encoding", {{"x", value_axis("x", x)}, {"y", value_axis("mean", y)}, {"color", colour}}}}};
  return spec;
}

Json gantt_chart(const std::vector<GanttBar>& bars, const std::vector<GanttMark>& marks,
                 std::uint32_t rows) {
  constexpr std::uint32_t hues = 20;  // neighbouring jobs differ; a hue comes back after these
  Json bar_rows = Json::array();
  std::uint32_t most_lanes = 1;
  for (const GanttBar& bar : bars) {
    const auto lanes = static_cast<double>(bar.lanes);
    most_lanes = std::max(most_lanes, bar.lanes);
    bar_rows.push_back({{"row", bar.row + bar.lane / lanes},
                        {"next", bar.row + (bar.lane + 1) / lanes},
                        {"from", bar.from},
                        {"until", bar.until},
                        {"hue", bar.group % hues}});
  }
  Json mark_rows = Json::array();
  for (const GanttMark& mark : marks)
    mark_rows.push_back({{"row", mark.row + 0.5}, {"at", mark.at}, {"kind", mark.kind}});
  const Json y_axis{{"tickMinStep", 1}};
  Json spec = base(Json::array());
  spec["width"] = 640;
  spec["height"] = std::clamp<std::uint32_t>(rows * most_lanes * 4, 120, 1200);
  spec["layer"] = {{{"data", {{"values", std::move(bar_rows)}}},
                    {"mark", {{"type", "rect"}}},
                    {"encoding",
                     {{"x", {{"field", "from"}, {"type", "quantitative"}, {"title", "seconds"}}},
                      {"x2", {{"field", "until"}}},
                      {"y",
                       {{"field", "row"},
                        {"type", "quantitative"},
                        {"title", "peer"},
                        {"scale", {{"reverse", true}, {"domain", {0, rows}}, {"nice", false}}},
                        {"axis", y_axis}}},
                      {"y2", {{"field", "next"}}},
                      {"color",
                       {{"field", "hue"},
                        {"type", "nominal"},
                        {"scale", {{"scheme", "tableau20"}}},
                        {"legend", nullptr}}}}}},
                   {{"data", {{"values", std::move(mark_rows)}}},
                    {"mark", {{"type", "point"}, {"filled", true}, {"size", 8}}},
                    {"encoding",
                     {{"x", {{"field", "at"}, {"type", "quantitative"}}},
                      {"y", {{"field", "row"}, {"type", "quantitative"}}},
                      {"shape",
                       {{"field", "kind"},
                        {"type", "nominal"},
                        {"title", nullptr},
                        {"legend", {{"orient", "top"}}}}}}}}};
  return spec;
}

}  // namespace rhizome::scenarios
