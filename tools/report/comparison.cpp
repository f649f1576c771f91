// The comparisons of a report: the results in words, and the figures behind them.
#include "tools/report/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/compare/wording.hpp"
#include "tools/report/blocks.hpp"

namespace rhizome::tools {

namespace {

// A metric that the sentence mentions, with its words.
struct Told {
  std::string_view metric;
  std::string_view what;
};
constexpr std::array<Told, 3> told{{{"job_messages", "job messages"},
                                    {"result_messages", "result messages"},
                                    {"information_messages", "information messages"}}};

const ComparisonRow* find(const Comparison& comparison, std::string_view metric) {
  const auto row = std::ranges::find_if(
      comparison.rows, [&](const ComparisonRow& of) { return of.metric->name == metric; });
  return row == comparison.rows.end() ? nullptr : &*row;
}

// "a, b and c".
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

// Three digits: "0.446", "1.50", "12.3", "123".
std::string ratio_text(double ratio) {
  const int decimals = ratio < 1 ? 3 : ratio < 10 ? 2 : ratio < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", ratio, decimals);
}

// "1.50 times as long (worse)"; "no job messages (better)" where this side has none, and a
// difference where the first side has none.
std::string told_of(const ComparisonRow& row, std::size_t side, std::string_view times_what,
                    std::string_view what) {
  const Versus& versus = row.versus[side];
  const std::string verdict =
      " (" + (equal(versus) ? "equal" : verdict_text(*row.metric, versus)) + ")";
  if (versus.ratio.value == 0) return "no " + std::string(what) + verdict;
  if (std::isfinite(versus.ratio.value))
    return ratio_text(versus.ratio.value) + " times " + std::string(times_what) + verdict;
  if (versus.difference.value == 0) return "as many " + std::string(what);
  return versus_text(versus) + " " + std::string(what) + verdict;
}

std::string sentence_against_first(const Comparison& comparison, std::size_t side) {
  std::string text =
      "Against " + comparison.sides.front().name + ", " + comparison.sides[side].name;
  const ComparisonRow* makespan = find(comparison, "makespan");
  if (makespan != nullptr && makespan->versus[side].verdict != Verdict::inapplicable)
    text += " took " + told_of(*makespan, side, "as long", "seconds") + " and";
  std::vector<std::string> parts;
  for (const auto& [metric, what] : told) {
    const ComparisonRow* row = find(comparison, metric);
    if (row == nullptr || row->versus[side].verdict == Verdict::inapplicable) continue;
    parts.push_back(told_of(*row, side, "the " + std::string(what), what));
  }
  return text + " sent " + listed(parts) + ".";
}

// Overlays without work are compared by their graphs.
std::string overlay_sentence(const Comparison& comparison, std::size_t side) {
  std::vector<std::string> parts;
  for (const std::string_view metric : {"in_degree_deviation", "clustering", "mean_path"}) {
    const ComparisonRow* row = find(comparison, metric);
    if (row == nullptr || row->versus[side].verdict == Verdict::inapplicable) continue;
    const std::string& title = row->metric->title;
    parts.push_back(told_of(*row, side, "the " + title, title));
  }
  if (parts.empty()) return {};
  return "Against " + comparison.sides.front().name + ", " + comparison.sides[side].name + " has " +
         listed(parts) + ".";
}

std::string overlay_alone(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const std::string_view metric : {"in_degree_deviation", "clustering", "mean_path"})
    if (const ComparisonRow* row = find(comparison, metric); row != nullptr)
      parts.push_back(row->metric->title + " " + mean_text(row->means.front()));
  return comparison.sides.front().name + ": " + listed(parts) + ".";
}

std::string sentence_alone(const Comparison& comparison) {
  std::string text = comparison.sides.front().name;
  const ComparisonRow* makespan = find(comparison, "makespan");
  if (makespan != nullptr && makespan->means.front().exists())
    text += " took " + mean_text(makespan->means.front()) + " s and";
  std::vector<std::string> parts;
  for (const auto& [metric, what] : told)
    if (const ComparisonRow* row = find(comparison, metric); row != nullptr)
      parts.push_back(mean_text(row->means.front()) + " " + std::string(what));
  return text + " sent " + listed(parts) + ".";
}

// Adds a cell with the class of its merit, if it has one.
Element add_versus(Element row, const ComparisonRow& of, std::size_t side,
                   const std::string& column) {
  const int worth = merit(*of.metric, of.versus[side]);
  if (worth == 0) return row.add("td", {{"data-of", column}});
  return row.add("td", {{"class", worth > 0 ? "good" : "bad"}, {"data-of", column}});
}

std::string mean_column(const Side& side) { return side.name + (sound(side) ? "" : " !"); }
std::string ratio_column(const Comparison& comparison, std::size_t side) {
  return comparison.sides[side].name + " / " + comparison.sides.front().name;
}

// Which columns a table has: for a few sides all fit one table.
struct Columns {
  bool means = true;
  bool ratios = true;
};
constexpr std::size_t most_sides_in_one = 3;

void add_head(Element table, const Comparison& comparison, Columns columns) {
  Element row = table.add("thead").add("tr");
  const auto column = [&](const std::string& text) {
    row.add("th", {{"scope", "col"}}).text(text);
  };
  column("metric");
  if (columns.means)
    for (const Side& side : comparison.sides) column(mean_column(side));
  if (columns.ratios)  // without means the caption names the side that others are compared with
    for (std::size_t i = 1; i < comparison.sides.size(); ++i)
      column(columns.means ? ratio_column(comparison, i) : comparison.sides[i].name);
}

void add_means(Element row, const Comparison& comparison, const ComparisonRow& of) {
  for (std::size_t i = 0; i < of.means.size(); ++i)
    row.add("td", {{"data-of", mean_column(comparison.sides[i])}}).text(mean_text(of.means[i]));
}

void add_ratios(Element row, const Comparison& comparison, const ComparisonRow& of) {
  for (std::size_t i = 1; i < of.versus.size(); ++i) {
    Element cell = add_versus(row, of, i, ratio_column(comparison, i)).add("span");
    cell.text(versus_text(of.versus[i]) + " ");
    cell.add("span", {{"class", "worth"}}).text(verdict_text(*of.metric, of.versus[i]));
  }
}

// Some metrics are a part of the one above them, and say only which; unless they have a title of
// their own.
std::string title_of(const ComparisonRow& row, const std::string& whole) {
  if (!row.metric->alone.empty()) return row.metric->alone;
  const std::string& title = row.metric->title;
  if (!title.starts_with(' ')) return heading(row);
  return whole + " of the " + title.substr(title.find_first_not_of(' '));
}

void add_rows(Element body, const Comparison& comparison, Columns columns) {
  std::string whole;
  for (const ComparisonRow& in_seconds : comparison.rows) {
    const ComparisonRow of = in_fitting_unit(in_seconds);
    const std::string title = title_of(of, whole);
    if (!of.metric->title.starts_with(' ')) whole = of.metric->title;
    if (!comparison.headline(of)) continue;
    Element row = body.add("tr");
    row.add("th", {{"scope", "row"}, {"title", of.metric->meaning}}).text(title);
    if (columns.means) add_means(row, comparison, of);
    if (columns.ratios) add_ratios(row, comparison, of);
    body.end_line();
  }
}

void add_table(Element page, const Comparison& comparison, const std::string& caption,
               Columns columns) {
  Element table = page.add("div", {{"class", "scroll"}}).add("table", {{"class", "stack"}});
  table.add("caption").text(caption);
  add_head(table, comparison, columns);
  Element body = table.add("tbody");
  body.end_line();
  add_rows(body, comparison, columns);
  page.end_line();
}

}  // namespace

std::vector<std::string> verdicts_of(const Comparison& comparison) {
  const bool overlays = comparison.overlays_alone();
  if (comparison.sides.size() == 1)
    return {overlays ? overlay_alone(comparison) : sentence_alone(comparison)};
  std::vector<std::string> sentences;
  if (const std::string winner = winner_text(comparison); !winner.empty())
    sentences.push_back(winner);
  for (std::size_t side = 1; side < comparison.sides.size(); ++side)
    sentences.push_back(overlays ? overlay_sentence(comparison, side)
                                 : sentence_against_first(comparison, side));
  return sentences;
}

std::vector<Comparison> compared_within(std::vector<RunFigures> runs) {
  for (RunFigures& run : runs) run.origin.clear();
  return compare(runs, {});
}

bool overlays_alone(const std::vector<Comparison>& comparisons) {
  return !comparisons.empty() && std::ranges::all_of(comparisons, &Comparison::overlays_alone);
}

void add_comparison(Element page, const Comparison& comparison) {
  const std::string caption =
      comparison.title + ", " + comparison.engine + ". " + method_text(comparison);
  if (comparison.sides.size() <= most_sides_in_one) {
    add_table(page, comparison, caption, {});
  } else {
    add_table(page, comparison, caption, {.ratios = false});
    add_table(page, comparison, "Ratios to " + comparison.sides.front().name, {.means = false});
  }
  for (const std::string& note : {difference_note(comparison, false), judged_text(comparison)})
    if (!note.empty()) add_paragraph(page, "soft", note);
  for (const std::string& warning : comparison.warnings) add_paragraph(page, "bad", warning);
}

}  // namespace rhizome::tools
