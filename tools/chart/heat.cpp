// Heat maps: a value for each combination of two keys, as a coloured table.
#include <algorithm>

#include "tools/chart/chart.hpp"

namespace rhizome::tools {

namespace {

constexpr int row_height = 34;

Json axis_of(const std::string& field, const Axis& axis, int angle) {
  return {{"field", field},
          {"type", "ordinal"},
          {"sort", nullptr},  // in the order of the data
          {"title", axis.title},
          {"axis", {{"labelAngle", angle}, {"grid", false}}}};
}

}  // namespace

Json heat_map(const std::vector<HeatCell>& cells, const Axis& across, const Axis& down) {
  Json rows = Json::array();
  std::vector<std::string> lines;
  double least = 0;
  double most = 0;
  for (const HeatCell& cell : cells) {
    least = rows.empty() ? cell.value : std::min(least, cell.value);
    most = rows.empty() ? cell.value : std::max(most, cell.value);
    rows.push_back(
        {{"across", cell.across}, {"down", cell.down}, {"mean", cell.value}, {"text", cell.text}});
    if (std::ranges::find(lines, cell.down) == lines.end()) lines.push_back(cell.down);
  }
  const Json x = axis_of("across", across, 0);
  const Json y = axis_of("down", down, 0);
  const Json colour{{"field", "mean"},
                    {"type", "quantitative"},
                    {"scale", {{"scheme", "viridis"}, {"zero", false}}},
                    {"legend", nullptr}};
  // Yellow, at the upper end, takes dark ink.
  const std::string bright = "datum.mean > " + std::to_string(least + 0.6 * (most - least));
  const Json ink{{"condition", {{"test", bright}, {"value", "black"}}}, {"value", "white"}};
  Json spec = chart_base(std::move(rows));
  spec["width"] = 640;
  spec["height"] = row_height * static_cast<int>(std::max<std::size_t>(lines.size(), 1));
  spec["layer"] = {
      {{"mark", "rect"}, {"encoding", {{"x", x}, {"y", y}, {"color", colour}}}},
      {{"mark", {{"type", "text"}}},
       {"encoding",
        {{"x", x}, {"y", y}, {"text", {{"field", "text"}, {"type", "nominal"}}}, {"color", ink}}}}};
  return spec;
}

}  // namespace rhizome::tools
