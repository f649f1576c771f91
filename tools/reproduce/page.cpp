#include "tools/reproduce/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "tools/compare/layout.hpp"
#include "tools/compare/wording.hpp"

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

// What a law of theory says is neither published of a system nor ours.
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

std::string sides_text(const CellVerdict& cell) {
  std::string text = mean_text(cell.left);
  if (cell.right) text += " against " + mean_text(*cell.right);
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
  for (const CellVerdict& cell : verdict.cells) {
    text += "      " + fitted(word_of(cell.standing), 20) + cell_name(cell) + "\n";
    text += "        " + sides_text(cell) + ", " + distance_text(*verdict.claim, cell) + "\n";
  }
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (std::string cell : cells) {
    for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2)
      cell.insert(at, "\\");
    text += " " + cell + " |";
  }
  return text + "\n";
}

std::string heading_of(const Reproduced& one) { return one.result.name + ": " + one.result.title; }

// As GitHub and most others make it of a heading.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto letter = static_cast<unsigned char>(c);
    if (c == ' ') anchor += '-';
    if (c == '-' || c == '_' || std::isalnum(letter) != 0 || letter > 127)
      anchor += static_cast<char>(std::tolower(letter));
  }
  return anchor;
}

// How many verdicts of each kind there are, and where they stand: before anything else.
void add_index(std::string& page, const ReproducedList& list) {
  constexpr std::array kinds{Standing::holds, Standing::fails, Standing::not_distinguishable,
                             Standing::inconclusive};
  std::vector<std::string> heads{"result"};
  for (const Standing kind : kinds) heads.push_back(word_of(kind));
  page += "## All verdicts\n\n" + table_row(heads) + "|---|---|---|---|---|\n";
  std::array<std::ptrdiff_t, kinds.size()> all{};
  for (const auto& one : list) {
    const std::string heading = heading_of(*one);
    std::vector<std::string> row{"[" + heading + "](#" + anchor_of(heading) + ")"};
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const auto found =
          std::count_if(one->verdicts.begin(), one->verdicts.end(),
                        [&](const ClaimVerdict& v) { return v.standing == kinds[k]; });
      all[k] += found;
      row.push_back(std::to_string(found));
    }
    page += table_row(row);
  }
  std::vector<std::string> sum{"**all**"};
  for (const std::ptrdiff_t count : all) sum.push_back("**" + std::to_string(count) + "**");
  page += table_row(sum) + "\n";
}

void add_result(std::string& page, const Reproduced& one, const PageOptions& options) {
  page += "## " + heading_of(one) + "\n\n";
  page += "Source: " + one.result.source + ". Scenario: [" + one.result.study + "](" +
          one.result.study + "), " + std::to_string(one.repetitions) + " repetitions.\n\n";
  if (!one.result.note.empty()) page += one.result.note + "\n\n";
  page += table_row({"claim", "origin", "counting", "verdict", "cells in which it holds"}) +
          "|---|---|---|---|---|\n";
  for (const ClaimVerdict& verdict : one.verdicts)
    page += table_row({verdict.claim->says, origin_text(*verdict.claim),
                       std::string(name_of(verdict.counting)),
                       "**" + word_of(verdict.standing) + "**", count_text(verdict)});
  page += "\n<details><summary>Cell by cell</summary>\n\n";
  for (const ClaimVerdict& verdict : one.verdicts) {
    const std::string counting = counting_text(verdict);
    page += "`" + verdict.claim->test + "`" + (counting.empty() ? "" : ", " + counting) + "\n\n";
    page += table_row({"cell", "verdict", "left", "right", "distance"}) + "|---|---|---|---|---|\n";
    for (const CellVerdict& cell : verdict.cells)
      page += table_row({cell_name(cell), word_of(cell.standing), mean_text(cell.left),
                         cell.right ? mean_text(*cell.right) : "",
                         distance_text(*verdict.claim, cell)});
    page += "\n";
  }
  page += "</details>\n\n";
  for (const Chart& chart : one.charts)
    page += options.no_figures.empty()
                ? "![" + chart.caption + "](" + chart.id + ".svg)\n\n*" + chart.caption + "*\n\n"
                : "";
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
    text += "\n";
  }
  for (const std::string& partial : options.partial) text += wrapped("! " + partial, columns, 2);
  return text;
}

std::string page_of(const ReproducedList& list, const PageOptions& options) {
  std::string page = "# Published results, run again\n\n";
  page += "Made by `" + options.command + "` (rhizome " + options.version + ", " + "seed " +
          std::to_string(options.seed) + ", virtual time). Do not edit.\n\n";
  if (!options.no_figures.empty())
    page += "**This page has no figures**: " + options.no_figures + ", and make it again.\n\n";
  for (const std::string& partial : options.partial) page += "**!** " + partial + "\n\n";
  page +=
      "A claim *holds* when it holds in every cell that it names (all of its study, if it names "
      "none), *does not hold* when it fails in one, and is *not distinguishable* when the "
      "intervals leave it open. It is *published* when the source says so, *derived* when we "
      "computed it from what the source says, *ours* when the source says nothing of it, and "
      "*theory* when a law says so. In a cell it holds when the interval of the difference "
      "(Student's t, paired by seed) "
      "says so; beside a law of queueing theory, when the interval of the ratio to it lies within "
      "a "
      "tolerance. Messages are counted in two ways, since the source does not say which it used: a "
      "transfer of several portions is one message, or as many as it moves portions. Each claim is "
      "judged by itself at " +
      digits(options.confidence * 100) + " %: of 20 intervals, one misses by chance.\n\n";
  add_index(page, list);
  for (const auto& one : list) add_result(page, *one, options);
  page.pop_back();
  return page;
}

}  // namespace rhizome::tools
