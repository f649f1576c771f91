// The part of a report about a sweep, in place of the events within a run: the answer, and a short
// folded part for each cell.
#include "tools/report/parts.hpp"

#include <algorithm>

#include "tools/compare/judgement.hpp"
#include "tools/compare/wording.hpp"
#include "tools/report/blocks.hpp"
#include "tools/sweep/charts.hpp"
#include "tools/sweep/words.hpp"

namespace rhizome::tools {

namespace {

constexpr std::size_t most_sentences = 6;  // before all else; the others are folded
constexpr std::size_t most_cells = 100;    // more folded tables would be most of the page

Element add_table(Element page, const std::string& caption) {
  Element table = page.add("div", {{"class", "scroll"}}).add("table", {{"class", "stack"}});
  if (!caption.empty()) table.add("caption").text(caption);
  return table;
}

void add_head(Element table, const std::vector<std::string>& columns, std::size_t keys = 1) {
  Element row = table.add("thead").add("tr");
  for (std::size_t i = 0; i < columns.size(); ++i)
    row.add("th", {{"scope", "col"}, {"class", i < keys ? "key" : ""}}).text(columns[i]);
  table.end_line();
}

void add_sweep_table(Element page, const SweepTable& from) {
  Element table = add_table(page, from.title);
  add_head(table, from.rows.front(), from.keys);
  Element body = table.add("tbody");
  body.end_line();
  for (std::size_t i = 1; i < from.rows.size(); ++i) {
    Element row = body.add("tr");
    for (std::size_t column = 0; column < from.rows[i].size(); ++column) {
      const std::string& cell = from.rows[i][column];
      if (column < from.keys) {
        row.add("th", {{"scope", "row"}, {"data-of", from.rows.front()[column]}}).text(cell);
        continue;
      }
      row.add("td", {{"class", cell.ends_with(" *") ? "best" : ""},
                     {"data-of", from.rows.front()[column]}})
          .text(cell);
    }
    body.end_line();
  }
  page.end_line();
}

void add_standing(Element row, const ClaimResult& result, const std::string& column) {
  const bool bad = result.standing == Standing::fails;
  const bool good = result.standing == Standing::holds;
  row.add("td", {{"class", good  ? "good"
                           : bad ? "bad"
                                 : "soft"},
                 {"title", result.reason},
                 {"data-of", column}})
      .text(std::string(name_of(result.standing)));
}

void add_plain_claims(Element page, const std::vector<ClaimResult>& claims) {
  Element table = add_table(page, {});
  add_head(table, {"claim", "verdict", "why"});
  Element body = table.add("tbody");
  for (const ClaimResult& result : claims) {
    Element row = body.add("tr");
    row.add("th", {{"scope", "row"}}).text(result.claim);
    add_standing(row, result, "verdict");
    row.add("td", {{"class", "why"}, {"data-of", "why"}}).text(result.reason);
    body.end_line();
  }
  page.end_line();
}

// Every claim was judged in every cell, in the same order.
void add_cell_claims(Element page, const std::vector<ClaimSummary>& summaries) {
  for (std::size_t c = 0; c < summaries.size(); ++c)
    add_paragraph(page, "claim",
                  std::to_string(c + 1) + ". " + summaries[c].claim + ": " + text_of(summaries[c]));
  Element details = page.add("details");
  details.add("summary").text("Cell by cell");
  Element table = add_table(details, {});
  std::vector<std::string> head{"cell"};
  for (std::size_t c = 0; c < summaries.size(); ++c)
    head.push_back("claim " + std::to_string(c + 1));
  add_head(table, head);
  Element body = table.add("tbody");
  for (std::size_t cell = 0; cell < summaries.front().results.size(); ++cell) {
    Element row = body.add("tr");
    row.add("th", {{"scope", "row"}}).text(summaries.front().results[cell]->cell);
    for (std::size_t c = 0; c < summaries.size(); ++c)
      if (cell < summaries[c].results.size())
        add_standing(row, *summaries[c].results[cell], head[c + 1]);
    body.end_line();
  }
  page.end_line();
}

}  // namespace

void add_sweep_verdict(Element page, const Material& material) {
  for (const Sweep& sweep : material.sweeps) {
    add_line(page, "h3", title_of(sweep));
    const std::vector<std::string> sentences = sentences_on(sweep);
    const std::size_t shown = std::min(sentences.size(), most_sentences);
    for (std::size_t i = 0; i < shown; ++i) add_paragraph(page, "result", sentences[i]);
    if (shown == sentences.size()) continue;
    Element details = page.add("details");
    details.add("summary").text(std::to_string(sentences.size() - shown) + " more");
    for (std::size_t i = shown; i < sentences.size(); ++i)
      add_paragraph(details, "result", sentences[i]);
    page.end_line();
  }
}

// Each table under its own chart, or all charts before all tables where they are not the same.
void add_sweeps(Element page, const Material& material, std::span<const Chart> charts,
                Outline& outline) {
  for (const Sweep& sweep : material.sweeps) {
    outline.add(page, title_of(sweep));
    const std::size_t drawn = charts_of(sweep).size();
    const std::vector<SweepTable> tables = tables_of(sweep);
    for (std::size_t i = 0; i < drawn; ++i) {
      add_line(page, "h3", charts[i].title);
      add_figure(page, charts[i]);
      if (drawn == tables.size()) add_sweep_table(page, tables[i]);
    }
    charts = charts.subspan(drawn);
    if (drawn != tables.size())
      for (const SweepTable& table : tables) add_sweep_table(page, table);
    add_paragraph(page, "soft", method_text(sweep));
  }
}

void add_cells(Element page, const std::vector<Comparison>& comparisons, Outline& outline) {
  outline.add(page, "Cells");
  for (const std::string& warning : warnings_of(comparisons)) add_paragraph(page, "bad", warning);
  if (comparisons.size() > most_cells) {
    add_paragraph(page, "soft",
                  "The tables of all " + std::to_string(comparisons.size()) +
                      " cells would be too much here: rhizome compare RUN --all prints them.");
    return;
  }
  for (const Comparison& comparison : comparisons) {
    Element details = page.add("details");
    details.add("summary").text(comparison.title);
    for (const std::string& sentence : verdicts_of(comparison))
      add_paragraph(details, "soft", sentence);
    add_comparison(details, comparison);
    page.end_line();
  }
  add_paragraph(page, "soft",
                "Completion, burdens, bills, trees and schedules are drawn of runs that sweep "
                "nothing: run the scenario again with one value for each key, as in rhizome run "
                "SCENARIO --set KEY=VALUE, and report that.");
}

void add_claims(Element page, const std::vector<ClaimResult>& claims, Outline& outline) {
  if (claims.empty()) return;
  outline.add(page, "Claims");
  const std::vector<ClaimSummary> summaries = by_claim(claims);
  if (summaries.front().results.size() == 1) {
    add_plain_claims(page, claims);
  } else {
    add_cell_claims(page, summaries);
  }
}

}  // namespace rhizome::tools
