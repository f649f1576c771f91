// How long jobs took, as a report shows it: whole distributions, and quantiles with intervals.
#include "tools/report/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "scenarios/outcome/metrics.hpp"
#include "tools/compare/wording.hpp"
#include "tools/report/blocks.hpp"

namespace rhizome::tools {

namespace {

using scenarios::Responses;
using Times = std::vector<double> Responses::*;

constexpr double sure = 0.95;  // confidence of intervals

std::vector<double> sorted_of(const Contestant& contestant, Times times) {
  std::vector<double> all;
  for (const Responses& one : contestant.responses)
    all.insert(all.end(), (one.*times).begin(), (one.*times).end());
  std::ranges::sort(all);
  return all;
}

// At shares that are evenly spaced on a logarithmic scale, from all to one job; a logarithmic axis
// has no place for 0.
void add_tail(std::vector<LinePoint>& line, const std::string& name,
              const std::vector<double>& sorted) {
  constexpr double a_decade = 15;
  const auto count = static_cast<double>(sorted.size());
  std::size_t last = sorted.size();
  for (double step = 0; last > 1; ++step) {
    const auto longer =
        static_cast<std::size_t>(std::floor(count * std::pow(10, -step / a_decade)));
    if (longer < 1) break;
    if (longer == last && step > 0) continue;
    last = longer;
    const double x = sorted[sorted.size() - longer];
    if (x > 0) line.push_back({name, x, {static_cast<double>(longer) / count}});
  }
}

Chart tail_chart(const std::vector<Contestant>& contestants, Times times, Chart chart,
                 const std::string& axis, const std::string& of_what = "jobs") {
  std::vector<LinePoint> line;
  for (const Contestant& contestant : contestants)
    add_tail(line, contestant.name, sorted_of(contestant, times));
  if (line.empty()) {
    const bool known = std::ranges::none_of(
        contestants, [](const Contestant& each) { return each.fate.unknown > 0; });
    chart.caption = !known              ? "It is not known what was completed."
                    : of_what == "jobs" ? "No job was completed."
                                        : "No task waited.";
    return chart;
  }
  chart.spec = line_chart(line, {.title = axis, .logarithmic = true},
                          {.title = "share of the " + of_what, .logarithmic = true});
  return chart;
}

using Figure = std::function<Estimate(const std::vector<double>&)>;

Estimate over_repetitions(const Contestant& contestant, Times times, const Figure& figure) {
  if (contestant.responses.size() == 1) return figure(contestant.responses.front().*times);
  std::vector<double> values;
  for (const Responses& one : contestant.responses) values.push_back(figure(one.*times).value);
  return estimate_mean(values, sure);
}

struct Row {
  std::string what;
  Times times;
  Figure figure;
};

std::vector<Row> rows_of(const std::string& what, Times times) {
  std::vector<Row> rows;
  rows.push_back({what + ", mean", times, [](const std::vector<double>& values) {
                    return estimate_mean_of_series(values, sure);
                  }});
  for (const double share : {0.5, 0.9, 0.99, 0.999})
    rows.push_back({fmt::format("  {:g} % at most", 100 * share), times,
                    [share](const std::vector<double>& values) {
                      return estimate_quantile(values, share, sure);
                    }});
  rows.push_back({"  mean without the warm-up", times, [](const std::vector<double>& values) {
                    return estimate_mean_of_series(scenarios::steady_of(values), sure);
                  }});
  rows.push_back({"  jobs cut as warm-up", times, [](const std::vector<double>& values) {
                    return Estimate{static_cast<double>(scenarios::warm_up_of(values))};
                  }});
  return rows;
}

void add_rows(Element body, std::span<const Contestant> contestants, const std::vector<Row>& rows) {
  for (const Row& of : rows) {
    Element row = body.add("tr");
    const bool part = of.what.starts_with(' ');
    row.add("th", {{"scope", "row"}, {"class", part ? "sub" : "whole"}}).text(of.what);
    for (const Contestant& contestant : contestants)
      row.add("td", {{"data-of", contestant.name}})
          .text(mean_text(over_repetitions(contestant, of.times, of.figure)));
    body.end_line();
  }
}

}  // namespace

Chart response_chart(const std::vector<Contestant>& contestants) {
  return tail_chart(contestants, &Responses::response,
                    {.id = "responses",
                     .title = "Response times of jobs",
                     .caption = "Share of the completed jobs whose response took at least so long, "
                                "over all repetitions; both scales are logarithmic.",
                     .spec = nullptr},
                    "response of a job, s");
}

Chart wait_chart(const std::vector<Contestant>& contestants) {
  return tail_chart(contestants, &Responses::wait,
                    {.id = "waits",
                     .title = "Waits of tasks",
                     .caption = "Share of the tasks that waited at least so long from their "
                                "submission to their first start, over all repetitions; both "
                                "scales are logarithmic.",
                     .spec = nullptr},
                    "wait of a task, s", "tasks");
}

Chart stretch_chart(const std::vector<Contestant>& contestants) {
  return tail_chart(contestants, &Responses::stretch,
                    {.id = "stretches",
                     .title = "Stretch of jobs",
                     .caption = "Share of the completed jobs whose response was at least so many "
                                "times as long as all their work takes at speed 1, over all "
                                "repetitions; both scales are logarithmic.",
                     .spec = nullptr},
                    "response over the work of the job");
}

void add_responses(Element page, std::span<const Contestant> contestants) {
  if (contestants.empty()) return;
  Element table = page.add("div", {{"class", "scroll"}}).add("table", {{"class", "stack"}});
  table.add("caption").text(
      "Times of completed jobs. Intervals of 95 %: of one repetition by 20 batches of jobs that "
      "arrived in succession, so that jobs may depend on each other; of several, by their means. "
      "The warm-up is cut by MSER-5, and in no other row or table than where this is stated.");
  Element head = table.add("thead").add("tr");
  head.add("th", {{"scope", "col"}}).text("");
  for (const Contestant& contestant : contestants)
    head.add("th", {{"scope", "col"}}).text(contestant.name);
  table.end_line();
  Element body = table.add("tbody");
  body.end_line();
  add_rows(body, contestants, rows_of("response, s", &Responses::response));
  const bool stretches =
      std::any_of(contestants.begin(), contestants.end(), [](const Contestant& contestant) {
        return !sorted_of(contestant, &Responses::stretch).empty();
      });
  if (stretches) add_rows(body, contestants, rows_of("stretch", &Responses::stretch));
  page.end_line();
}

}  // namespace rhizome::tools
