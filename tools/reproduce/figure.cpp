// The figures of a reproduction, drawn as in the source: bars cell by cell, lines, completions and
// schedules.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>

#include "scenarios/outcome/metrics.hpp"
#include "tools/chart/chart.hpp"
#include "tools/chart/colours.hpp"
#include "tools/compare/wording.hpp"
#include "tools/reproduce/page.hpp"
#include "tools/reproduce/sketches.hpp"
#include "tools/timeline/completions.hpp"

namespace rhizome::tools {

namespace {

// One value of a sweep in plain words: "100 peers", "200 jobs", "100ms".
std::string choice_text(const std::string& key, std::string value) {
  std::erase(value, '"');
  if (key == "peers.count") return value + " peers";
  if (key == "workload.jobs") return value + " jobs";
  if (key == "workload.portion_time") return value;
  return key.substr(key.rfind('.') + 1) + " " + value;
}

std::string group_name(const Identity& identity) {
  std::string text;
  for (const auto& [key, value] : identity.cell)
    text += (text.empty() ? "" : ", ") + choice_text(key, value);
  return text.empty() ? "all runs" : text;
}

std::string file_name(const std::string& entry, const std::string& metric) {
  std::string id = entry + "-" + metric;
  std::ranges::replace(id, '/', '-');
  std::ranges::replace(id, '_', '-');
  return id;
}

// The number at which a cell is drawn; none if the figure does not show the cell.
std::optional<double> drawn_at(const PublishedFigure& figure, const Identity& identity) {
  for (const auto& [key, value] : identity.cell) {
    std::string bare = value;
    std::erase(bare, '"');
    for (const auto& [name, x] : figure.at)
      if (key == figure.across && bare == name) return x;
  }
  return {};
}

void add_published(std::vector<LinePoint>& points, const PublishedFigure& figure,
                   const PublishedClaim& claim) {
  for (const auto& [name, x] : figure.at)
    for (const auto& [value, published] : claim.points)
      if (name == value)
        points.push_back(
            {claim.left.operand.label, x, {.value = published}, LinePoint::Origin::source});
}

// The values of the law between the smallest and the largest load of the study.
void add_curve(std::vector<LinePoint>& points, const PublishedFigure& figure,
               const PublishedClaim& claim) {
  constexpr int steps = 40;
  const auto [least, most] = std::ranges::minmax_element(
      figure.at, [](const auto& a, const auto& b) { return a.second < b.second; });
  QueueSystem system = claim.system;
  for (int i = 0; i <= steps; ++i) {
    system.load = least->second + (most->second - least->second) * i / steps;
    const double value = expected(*find_law(claim.law), figure.metric, system);
    points.push_back(
        {claim.left.operand.label, system.load, {.value = value}, LinePoint::Origin::law});
  }
}

// Measured lines with intervals, and beside them the points that are published or computed.
Json lines_of(const Reproduction& result, const PublishedFigure& figure,
              std::span<const RunFigures> runs, double confidence, const Axis& axis) {
  const auto position = static_cast<std::size_t>(find_metric(figure.metric) - metrics().data());
  std::vector<LinePoint> points;
  for (const std::string& label : figure.labels) {
    std::map<double, std::vector<double>> ours;
    for (const RunFigures& run : runs)
      if (run.identity.label == label)
        if (const auto x = drawn_at(figure, run.identity)) ours[*x].push_back(run.values[position]);
    for (const auto& [x, values] : ours)
      points.push_back({label, x, estimate_mean(values, confidence)});
    for (const PublishedClaim& claim : result.claims) {
      const Operand& of = claim.left.operand;
      if (claim.kind != TestKind::near || of.label != label || of.metric != figure.metric) continue;
      if (!claim.law.empty() && figure.drawn_at_load()) {
        add_curve(points, figure, claim);
      } else {
        add_published(points, figure, claim);
      }
    }
  }
  const bool published = std::ranges::any_of(
      points, [](const LinePoint& point) { return point.origin == LinePoint::Origin::source; });
  std::vector<double> places;
  std::vector<double> values;
  for (const LinePoint& point : points) {
    places.push_back(point.x);
    values.push_back(point.y.value);
  }
  Axis up = axis;
  up.logarithmic = up.logarithmic || is_crowded(std::move(values));
  return line_chart(points,
                    {.title = figure.axis + (published ? " (circles: published)" : ""),
                     .logarithmic = is_crowded(std::move(places))},
                    up);
}

// Values of a metric by group and label.
using Groups = std::map<std::pair<std::string, std::string>, std::vector<double>>;
Groups grouped(std::span<const RunFigures> runs, const std::string& metric) {
  const auto position = static_cast<std::size_t>(find_metric(metric) - metrics().data());
  Groups values;
  for (const RunFigures& run : runs)
    values[{group_name(run.identity), run.identity.label}].push_back(run.values[position]);
  return values;
}

std::vector<Bar> bars_of(const PublishedFigure& figure, std::span<const RunFigures> runs,
                         double confidence) {
  std::vector<std::string> groups;
  for (const RunFigures& run : runs)
    if (const std::string group = group_name(run.identity);
        std::ranges::find(groups, group) == groups.end())
      groups.push_back(group);
  const Groups values = grouped(runs, figure.metric);
  const Groups bounds = figure.bound.empty() ? Groups{} : grouped(runs, figure.bound);
  std::vector<Bar> bars;
  for (const std::string& group : groups)
    for (const std::string& label : figure.labels) {
      const auto found = values.find({group, label});
      if (found == values.end()) continue;
      bars.push_back({group, label, estimate_mean(found->second, confidence)});
      if (const auto bound = bounds.find(found->first); bound != bounds.end())
        if (const Estimate mean = estimate_mean(bound->second, confidence); mean.exists())
          bars.back().bound = mean.value;
    }
  return bars;
}

// The part of a caption that explains the lower bound, with the ratios of the means to it.
std::string bound_text(const PublishedFigure& figure, const std::vector<Bar>& bars) {
  const Metric* bound = find_metric(figure.bound);
  if (bound == nullptr) return "";
  std::string ratios;
  for (const Bar& bar : bars) {
    if (!bar.bound || !bar.estimate.exists()) continue;
    ratios += (ratios.empty() ? " Means over it: " : ", ") + bar.series +
              (bar.group == group_name(Identity{}) ? "" : " (" + bar.group + ")") +
              fmt::format(" {:.3f}", bar.estimate.value / *bar.bound);
  }
  return " Diamonds: " + lone_heading(*bound) + ", the lower bound. " +
         std::string(bound->meaning) + ratios + (ratios.empty() ? "" : ".");
}

Chart chart_of(const Reproduction& result, const PublishedFigure& figure,
               std::span<const RunFigures> runs, double confidence) {
  const Metric* metric = find_metric(figure.metric);
  // A metric with a unit counts or measures time: an interval that reaches below 0 is cut at 0.
  const Axis axis{.title = lone_heading(*metric),
                  .logarithmic = figure.logarithmic,
                  .not_negative = !metric->unit.empty()};
  const std::vector<Bar> bars = bars_of(figure, runs, confidence);
  return {.id = file_name(result.name, figure.metric),
          .title = result.title,
          .caption = std::string(metric->meaning) + bound_text(figure, bars),
          .spec = figure.across.empty() ? bar_chart(bars, {}, axis)
                                        : lines_of(result, figure, runs, confidence, axis)};
}

// The smallest mean of a metric over these labels, for a lower bound: it is the same for all
// labels, or each label has its own above this.
std::optional<double> least_mean(const std::string& metric, const PublishedFigure& figure,
                                 std::span<const RunFigures> runs, double confidence) {
  if (metric.empty()) return {};
  std::optional<double> least;
  for (const auto& [where, values] : grouped(runs, metric))
    if (std::ranges::find(figure.labels, where.second) != figure.labels.end())
      if (const Estimate mean = estimate_mean(values, confidence);
          mean.exists() && !(least && *least <= mean.value))
        least = mean.value;
  return least;
}

Chart completions_of(const Reproduction& result, const PublishedFigure& figure,
                     std::span<const RunFigures> runs, double confidence,
                     const Sketches& sketches) {
  std::vector<Completions> all;
  for (const std::string& label : figure.labels)
    all.push_back({label, sketches.completions(label)});
  const auto limit = least_mean(figure.bound, figure, runs, confidence);
  Chart chart = kth_completion_chart(all, confidence, limit);
  chart.id = file_name(result.name, "completions");
  if (limit)
    chart.caption +=
        " The fluid limit is that of work that is divided at will, and is everywhere "
        "at once.";
  return chart;
}

// Schedules side by side on the same time axis.
std::vector<Chart> schedules_of(const Reproduction& result, const PublishedFigure& figure,
                                const Sketches& sketches) {
  double last = 0;
  for (const std::string& label : figure.labels)
    if (const auto* known = sketches.schedule(label)) last = std::max(last, known->ended);
  std::vector<Chart> charts;
  for (const std::string& label : figure.labels) {
    const auto* known = sketches.schedule(label);
    if (known == nullptr) continue;
    Chart chart = known->chart;
    span(chart.spec, last);
    chart.id = file_name(result.name, "schedule-" + label);
    chart.title = "Schedule of " + label;
    chart.caption = label + ": " + chart.caption;
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace

// Colours over all figures, whichever are requested, so that a name has the same colour on every
// page.
const Colours& colours_of_figures() {
  static const Colours colours = [] {
    std::vector<std::vector<std::string>> figures;
    for (const Reproduction& one : all_reproductions())
      for (const PublishedFigure& figure : one.figures) {
        figures.push_back(figure.labels);
        if (figure.shows == Shows::completions) figures.back().emplace_back(fluid_limit_name);
      }
    return Colours(figures);
  }();
  return colours;
}

std::unique_ptr<Reproduced> reproduce(Reproduction result, std::span<const RunFigures> runs,
                                      double confidence, const Sketches& sketches) {
  auto made = std::make_unique<Reproduced>();
  made->result = std::move(result);
  for (const RunFigures& run : runs)
    made->repetitions = std::max<std::size_t>(made->repetitions, run.identity.repetition + 1);
  for (const PublishedClaim& claim : made->result.claims)
    for (ClaimVerdict& verdict : judge_published(claim, runs, confidence))
      made->verdicts.push_back(std::move(verdict));
  for (const PublishedFigure& figure : made->result.figures) {
    if (figure.shows == Shows::metric)
      made->charts.push_back(chart_of(made->result, figure, runs, confidence));
    if (figure.shows == Shows::completions)
      made->charts.push_back(completions_of(made->result, figure, runs, confidence, sketches));
    if (figure.shows == Shows::schedule)
      for (Chart& chart : schedules_of(made->result, figure, sketches))
        made->charts.push_back(std::move(chart));
  }
  for (Chart& chart : made->charts) recolour(chart.spec, colours_of_figures());
  return made;
}

Standing overall(const ReproducedList& list) {
  Standing worst = Standing::holds;
  for (const auto& one : list)
    for (const ClaimVerdict& verdict : one->verdicts) worst = std::max(worst, verdict.standing);
  return worst;
}

}  // namespace rhizome::tools
