#include "tools/sweep/charts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/peer/number_text.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/quantity.hpp"
#include "tools/chart/chart.hpp"
#include "tools/compare/wording.hpp"
#include "tools/sweep/words.hpp"

namespace rhizome::tools {

namespace {

constexpr double wide_range = 50;  // from there on, equal steps are equal factors

// The swept values as places on an axis, if all of them are numbers of one kind.
struct Scale {
  std::vector<double> places;  // by point
  std::string unit;            // empty: none
};

std::optional<double> seconds_of(const std::string& text) {
  const auto duration = parse_duration(text);
  if (!duration) return {};
  return core::seconds(*duration);
}
std::optional<double> megabits_of(const std::string& text) {
  const auto rate = parse_rate(text);
  if (!rate) return {};
  return static_cast<double>(rate->bits_per_second) / 1e6;
}

template <class Read>
std::optional<std::vector<double>> all_read(const SweepSide& side, Read read) {
  std::vector<double> places;
  for (const SweepPoint& point : side.points) {
    const std::optional<double> place = read(point.values.front());
    if (!place) return {};
    places.push_back(*place);
  }
  return places;
}

std::optional<Scale> scale_of(const SweepSide& side) {
  if (auto places = all_read(side, core::parse_number<double>))
    return Scale{std::move(*places), ""};
  if (auto places = all_read(side, seconds_of)) return Scale{std::move(*places), "s"};
  if (auto places = all_read(side, megabits_of)) return Scale{std::move(*places), "Mbit/s"};
  return {};
}

bool spans_powers(const std::vector<double>& places) {
  const auto [least, most] = std::ranges::minmax_element(places);
  return *least > 0 && *most / *least >= wide_range;
}

std::string key_text(const Sweep& sweep, const SweepSide& side, std::size_t position) {
  return std::string(shown_key(sweep.keys[side.keys[position]]));
}

// The level line of a scheduler that no swept key concerns: its result is the same everywhere.
std::vector<LinePoint> level_line(const SweepSide& side, const std::vector<double>& places) {
  const auto [least, most] = std::ranges::minmax_element(places);
  std::vector<LinePoint> points;
  for (const double place : {*least, *most})
    points.push_back({.series = side.label, .x = place, .y = side.points.front().mean});
  return points;
}

using SideList = std::vector<const SweepSide*>;

// All that is drawn in one chart: small values beside large ones are seen on a logarithmic scale.
bool far_apart(const SideList& sides, const SideList& any) {
  std::vector<double> means;
  for (const SideList* list : {&sides, &any})
    for (const SweepSide* side : *list)
      for (const SweepPoint& point : side->points)
        if (point.mean.exists()) means.push_back(point.mean.value);
  return is_crowded(std::move(means));
}

// Whatever has a unit is counted or timed: an interval that reaches below 0 is cut there.
Axis value_axis(const Sweep& sweep, bool logarithmic) {
  return {.title = lone_heading(*sweep.metric),
          .logarithmic = logarithmic,
          .not_negative = !sweep.metric->unit.empty()};
}

Json lines_of(const Sweep& sweep, const SideList& sides, const SideList& any, const Scale& scale,
              const Axis& values) {
  std::vector<LinePoint> points;
  for (const SweepSide* side : sides)
    for (std::size_t i = 0; i < side->points.size(); ++i)
      if (side->points[i].mean.exists())
        points.push_back({.series = side->label, .x = scale.places[i], .y = side->points[i].mean});
  for (const SweepSide* side : any)
    if (side->points.front().mean.exists())
      for (LinePoint& point : level_line(*side, scale.places)) points.push_back(std::move(point));
  std::ranges::stable_sort(points,
                           [](const LinePoint& a, const LinePoint& b) { return a.x < b.x; });
  const std::string key = key_text(sweep, *sides.front(), 0);
  return line_chart(points,
                    {.title = key + (scale.unit.empty() ? "" : ", " + scale.unit),
                     .logarithmic = spans_powers(scale.places)},
                    values);
}

Json bars_of(const Sweep& sweep, const SideList& sides, const SideList& any, const Axis& values) {
  std::vector<Bar> bars;
  for (const SweepPoint& point : sides.front()->points)
    for (const SweepSide* side : sides)
      for (const SweepPoint& own : side->points)
        if (own.values == point.values && own.mean.exists())
          bars.push_back({own.values.front(), side->label, own.mean});
  for (const SweepSide* side : any)
    if (side->points.front().mean.exists())
      bars.push_back({"any", side->label, side->points.front().mean});
  return bar_chart(bars, {.title = key_text(sweep, *sides.front(), 0)}, values);
}

Chart against_one(const Sweep& sweep, const SideList& sides, const SideList& any) {
  const std::string key = key_text(sweep, *sides.front(), 0);
  Chart chart{.title = lone_heading(*sweep.metric) + " against " + key,
              .caption = "Means with their intervals."};
  std::optional<Scale> scale = scale_of(*sides.front());
  // Where sides differ in their settings, places belong to one of them only.
  for (const SweepSide* side : sides)
    if (side->points.size() != sides.front()->points.size()) scale.reset();
  const bool logarithmic = far_apart(sides, any);
  const Axis values = value_axis(sweep, logarithmic);
  chart.spec =
      scale ? lines_of(sweep, sides, any, *scale, values) : bars_of(sweep, sides, any, values);
  if (logarithmic) chart.caption += " Their scale is logarithmic.";
  if (!any.empty())
    chart.caption += scale ? " A level line is a scheduler that " + key + " does not concern."
                           : " \"any\" is a scheduler that " + key + " does not concern.";
  return chart;
}

Chart against_two(const Sweep& sweep, const SweepSide& side) {
  std::vector<HeatCell> cells;
  for (std::size_t i = 0; i < side.points.size(); ++i)
    if (side.points[i].mean.exists())
      cells.push_back({.across = side.points[i].values[1],
                       .down = side.points[i].values[0],
                       .value = side.points[i].mean.value,
                       .text = mean_text({.value = side.points[i].mean.value}) + mark_of(side, i)});
  return {.title = lone_heading(*sweep.metric) + " of " + side.label,
          .caption =
              "Means; their intervals are in the table. The best has a star, what cannot be "
              "told from it a tilde, what did not run soundly an exclamation mark.",
          .spec = heat_map(cells, {.title = key_text(sweep, side, 1)},
                           {.title = key_text(sweep, side, 0)})};
}

}  // namespace

std::vector<Chart> charts_of(const Sweep& sweep) {
  SideList any;
  std::vector<SideList> groups;
  for (const SweepSide& side : sweep.sides) {
    if (side.keys.empty()) {
      any.push_back(&side);
      continue;
    }
    auto group = std::ranges::find_if(
        groups, [&](const SideList& known) { return known.front()->keys == side.keys; });
    if (group == groups.end()) group = groups.insert(groups.end(), SideList{});
    group->push_back(&side);
  }
  std::vector<Chart> charts;
  for (const SideList& group : groups) {
    if (group.front()->keys.size() == 1) charts.push_back(against_one(sweep, group, any));
    if (group.front()->keys.size() == 2)
      for (const SweepSide* side : group) charts.push_back(against_two(sweep, *side));
  }
  for (std::size_t i = 0; i < charts.size(); ++i)
    charts[i].id = sweep.metric->name + "-sweep-" + std::to_string(i + 1);
  return charts;
}

}  // namespace rhizome::tools
