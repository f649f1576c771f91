#include "tools/reproduce/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

#include "tools/compare/layout.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

namespace {

constexpr std::size_t columns = usual_page;

// A published result that is not reproduced "does not hold".
std::string word_of(Standing standing) {
  return standing == Standing::fails ? "does not hold" : std::string(name_of(standing));
}

std::string counting_text(const ClaimVerdict& verdict) {
  return verdict.counting == Counting::neither
             ? std::string()
             : "counting " + std::string(name_of(verdict.counting));
}

// A value by a law of theory is neither published for a system nor ours.
std::string origin_text(const PublishedClaim& claim) {
  return claim.law.empty() ? std::string(name_of(claim.origin)) : "theory";
}

std::string digits(double value) { return fmt::format("{:.4g}", value); }

// "-1.2 % [-2.5, +0.1]": how far a ratio is from 1.
std::string per_cent_text(const Estimate& ratio) {
  const auto signed_digits = [](double value) { return fmt::format("{:+.1f}", 100 * (value - 1)); };
  const std::string text = signed_digits(ratio.value) + " %";
  if (!ratio.interval) return text;
  return text + " [" + signed_digits(ratio.interval->low) + ", " +
         signed_digits(ratio.interval->high) + "]";
}

// "ratio 0.861 [0.85, 0.872]", or the difference from a number. From a law: in per cent.
std::string distance_text(const PublishedClaim& claim, const CellVerdict& cell) {
  if (!claim.law.empty()) return per_cent_text(cell.ratio);
  const bool ratio = cell.right.has_value();
  const Estimate& estimate = ratio ? cell.ratio : cell.difference;
  std::string text = ratio ? "ratio " : "difference ";
  text += digits(estimate.value);
  if (!estimate.interval) return text + " [unbounded]";
  return text + " [" + digits(estimate.interval->low) + ", " + digits(estimate.interval->high) +
         "]";
}

// "12.3 ±0.1 against 14.2 ±0.3", or beside one figure "12.3 ±0.1 against 12.4 (published)".
std::string sides_text(const PublishedClaim& claim, const CellVerdict& cell) {
  std::string text = mean_text(cell.left);
  if (cell.right) text += " against " + mean_text(*cell.right);
  if (cell.right && claim.kind == TestKind::near) text += " (" + origin_text(claim) + ")";
  return text;
}

std::string count_text(const ClaimVerdict& verdict) {
  const std::size_t all = verdict.cells.size();
  std::string text = std::to_string(verdict.holding) + " of " + std::to_string(all) + " cells";
  if (verdict.open > 0) text += ", " + std::to_string(verdict.open) + " open";
  return text;
}

std::string cell_name(const CellVerdict& cell) { return cell.cell.empty() ? "all" : cell.cell; }

void add_claim(std::string& text, const ClaimVerdict& verdict, bool details) {
  text += "  " + fitted(word_of(verdict.standing), 20) + fitted(counting_text(verdict), 20) +
          count_text(verdict) + "\n";
  if (!details) return;
  text += "      " + verdict.claim->test + "\n";
  for (const CellVerdict& cell : verdict.cells) {
    text += "      " + fitted(word_of(cell.standing), 20) + cell_name(cell) + "\n";
    text += "        " + sides_text(*verdict.claim, cell) + ", " +
            distance_text(*verdict.claim, cell) + "\n";
  }
}

std::string heading_of(const Reproduced& one) { return one.result.name + ": " + one.result.title; }

std::string made_by(const PageOptions& options) {
  return "Made by `" + options.command + "` (rhizome " + options.version + ", seed " +
         std::to_string(options.seed) + ", virtual time). Do not edit.";
}

// How many verdicts hold, do not hold, and are open.
struct Tally {
  std::ptrdiff_t holds = 0;
  std::ptrdiff_t fails = 0;
  std::ptrdiff_t open = 0;
};

Tally tally_of(const Reproduced& one) {
  Tally tally;
  for (const ClaimVerdict& verdict : one.verdicts)
    ++(verdict.standing == Standing::holds   ? tally.holds
       : verdict.standing == Standing::fails ? tally.fails
                                             : tally.open);
  return tally;
}

std::vector<std::string> row_of(const std::string& what, const Tally& tally) {
  return {what, std::to_string(tally.holds), std::to_string(tally.fails),
          std::to_string(tally.open)};
}

// "Verdicts: 2 hold, 4 do not hold, 0 are open."
std::string tally_text(const Tally& tally) {
  return "Verdicts: " + std::to_string(tally.holds) + (tally.holds == 1 ? " holds, " : " hold, ") +
         std::to_string(tally.fails) + (tally.fails == 1 ? " does not" : " do not") + " hold, " +
         std::to_string(tally.open) + (tally.open == 1 ? " is" : " are") + " open.";
}

void add_claims(std::string& page, const Reproduced& one) {
  page += markdown_head({"claim", "origin", "counting", "verdict", "cells in which it holds"});
  for (const ClaimVerdict& verdict : one.verdicts)
    page += markdown_row({verdict.claim->says, origin_text(*verdict.claim),
                          std::string(name_of(verdict.counting)),
                          "**" + word_of(verdict.standing) + "**", count_text(verdict)});
  page += "\n";
}

void add_figures(std::string& page, const Reproduced& one, const PageOptions& options) {
  if (!options.no_figures.empty())
    page += "**This page has no figures**: " + options.no_figures + ", and make it again.\n\n";
  else
    for (const Chart& chart : one.charts)
      page += "![" + chart.caption + "](" + chart.id + ".svg)\n\n*" + chart.caption + "*\n\n";
}

void add_cells(std::string& page, const Reproduced& one) {
  page += "## Cell by cell\n\n";
  for (const ClaimVerdict& verdict : one.verdicts) {
    const std::string counting = counting_text(verdict);
    page += "`" + verdict.claim->test + "`" + (counting.empty() ? "" : ", " + counting) + "\n\n" +
            markdown_head({"cell", "verdict", "left", "right", "distance"});
    for (const CellVerdict& cell : verdict.cells)
      page += markdown_row({cell_name(cell), word_of(cell.standing), mean_text(cell.left),
                            cell.right ? mean_text(*cell.right) : "",
                            distance_text(*verdict.claim, cell)});
    page += "\n";
  }
}

// The meanings of the words in the tables.
std::string method_of(const PageOptions& options) {
  return "## How claims are judged\n\n"
         "A claim *holds* if it holds in every cell that it names, or in all cells if it names "
         "none. It *does not hold* if it fails in one cell. It is *not distinguishable* if the "
         "intervals allow both, and *inconclusive* if runs are missing. In a cell the interval of "
         "the difference decides (Student's t, paired by seed). Beside a law of queueing theory "
         "the interval of the ratio must lie within a tolerance. Each claim is judged by itself "
         "at " +
         digits(options.confidence * 100) +
         " %.\n\n"
         "A claim is *published* if the source states it, *derived* if we computed it from the "
         "source, *ours* if the source does not mention it, and *theory* if a law states it. "
         "Messages are counted in two ways, because the source does not say which way it used: a "
         "transfer of several portions counts as one message, or as many as it moves portions.\n";
}

}  // namespace

std::string text_of(const ReproducedList& list, const PageOptions& options, bool details) {
  std::string text;
  for (const auto& one : list) {
    text += one->result.name + ": " + one->result.title + "\n" + one->result.source + "\n\n";
    if (!one->result.note.empty()) text += wrapped(one->result.note, columns, 0) + "\n";
    const PublishedClaim* said = nullptr;
    for (const ClaimVerdict& verdict : one->verdicts) {
      if (verdict.claim != said)
        text += wrapped(verdict.claim->says + " (" + origin_text(*verdict.claim) + ")", columns, 0);
      said = verdict.claim;
      add_claim(text, verdict, details);
    }
    text += wrapped(tally_text(tally_of(*one)), columns, 0) + "\n";
  }
  for (const std::string& partial : options.partial) text += wrapped("! " + partial, columns, 2);
  return text;
}

std::string page_name(const Reproduction& result) {
  std::string name = result.name;
  std::ranges::replace(name, '/', '-');
  return name + ".md";
}

namespace {

// The title up to the first colon or comma: the page has the whole title.
std::string short_title(const Reproduction& result) {
  return result.title.substr(0, result.title.find_first_of(":,"));
}

}  // namespace

std::string index_of(const ReproducedList& list, const PageOptions& options) {
  std::string page = "# Published results, run again\n\n" + made_by(options) + "\n\n";
  for (const std::string& partial : options.partial) page += "**!** " + partial + "\n\n";
  page +=
      "Each result has a page of its own. *Open* counts claims that the intervals leave "
      "undecided.\n\n" +
      markdown_head({"result", "holds", "does not", "open"});
  Tally all;
  for (const auto& one : list) {
    const Tally tally = tally_of(*one);
    page += markdown_row(row_of(
        "[" + one->result.name + "](" + page_name(one->result) + ") " + short_title(one->result),
        tally));
    all.holds += tally.holds;
    all.fails += tally.fails;
    all.open += tally.open;
  }
  return page + markdown_row(row_of("all", all));
}

std::string page_of(const Reproduced& one, const PageOptions& options) {
  std::string page = "# " + heading_of(one) + "\n\n" + made_by(options) +
                     " [All results](README.md)\n\nSource: " + one.result.source + ". Scenario: [" +
                     one.result.study + "](" + one.result.study + "), " +
                     std::to_string(one.repetitions) + " repetitions.\n\n";
  if (!one.result.note.empty()) page += one.result.note + "\n\n";
  add_claims(page, one);
  add_figures(page, one, options);
  add_cells(page, one);
  return page + method_of(options);
}

}  // namespace rhizome::tools
