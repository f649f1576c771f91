#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/text/enumerators.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/compare/layout.hpp"
#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"

namespace rhizome::tools {

namespace {

constexpr std::size_t title_width = 20;
constexpr std::size_t mean_width = 14;
constexpr std::size_t ratio_width = 20;
constexpr std::size_t verdict_width = 8;
constexpr std::size_t widest_name = 22;

Ink ink_of(int merit) { return merit > 0 ? Ink::green : (merit < 0 ? Ink::red : Ink::plain); }

// One word that fits behind a ratio; the notes below the table explain it.
std::string short_verdict(const Metric& metric, const Versus& versus) {
  const std::string words = verdict_text(metric, versus);
  if (words.empty() || merit(metric, versus) != 0) return words;
  switch (versus.verdict) {
    case Verdict::not_distinguishable:
      return "unclear";
    case Verdict::not_comparable:
      return "void";
    case Verdict::too_few:
      return "too few";
    case Verdict::less:
    case Verdict::more:
    case Verdict::inapplicable:
      break;
  }
  return words;
}

// The sign before a ratio in a block of several, because colour may be off and must not be the only
// sign.
std::string sign_of(const Metric& metric, const Versus& versus) {
  const int worth = merit(metric, versus);
  if (worth != 0) return worth > 0 ? "+" : "-";
  if (verdict_text(metric, versus).empty()) return " ";
  return one_of(versus.verdict, {"<", ">", "~", "?", "!", " "});
}

class Table {
 public:
  Table(const Comparison& comparison, const TextOptions& options)
      : comparison_(comparison),
        page_(options.columns),
        paint_(options.colour),
        all_(options.all),
        beside_(comparison.sides.size() == 2 && pair_columns_width() <= page_),
        names_(short_names()) {}

  [[nodiscard]] std::string text() const {
    const std::string winner = winner_text(comparison_);
    const std::string out =
        title() + failures() + (winner.empty() ? "" : wrapped(winner, page_, 2)) + legend() + "\n";
    return out + (beside_ ? pair() : blocks());
  }

 private:
  static constexpr std::size_t pair_columns_width() {
    return title_width + 2 * mean_width + ratio_width + verdict_width + 4;
  }
  // The names of sides, with a mark at sides that are not sound, or numbers for all if one name is
  // too long for the head of a column.
  [[nodiscard]] std::vector<std::string> short_names() const {
    const std::size_t most = beside_ ? mean_width : widest_name;
    std::vector<std::string> names;
    for (const Side& side : comparison_.sides) names.push_back(side.name + mark(side));
    const bool fit = std::ranges::all_of(
        names, [most](const std::string& name) { return columns_of(name) <= most; });
    for (std::size_t i = 0; i < names.size() && !fit; ++i)
      names[i] = "#" + std::to_string(i + 1) + mark(comparison_.sides[i]);
    return names;
  }
  [[nodiscard]] std::string first_name() const {
    return names_[0].starts_with('#') ? "#1" : comparison_.sides[0].name;
  }
  static std::string mark(const Side& side) { return sound(side) ? "" : " !"; }

  [[nodiscard]] std::string title() const {
    std::string runs;
    for (const Side& side : comparison_.sides)
      if (runs.empty() || side.runs != comparison_.sides.front().runs)
        runs += (runs.empty() ? "" : "/") + std::to_string(side.runs);
    const std::string text = comparison_.title + " (" + comparison_.engine + ", " + runs +
                             (runs == "1" ? " run" : " runs") + " each)";
    return paint_(Ink::bold, wrapped(text, page_, 2));
  }
  [[nodiscard]] std::string failures() const {
    std::string text;
    for (const Side& side : comparison_.sides)
      if (!side.failed.empty())
        text += paint_(Ink::red, wrapped(fmt::format("{}: {} of {} runs failed, so its figures "
                                                     "describe broken-off runs; why is told below.",
                                                     side.name, side.failed.size(), side.runs),
                                         page_, 2));
    return text;
  }
  [[nodiscard]] std::string legend() const {
    std::string text;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i].starts_with('#'))
        text += wrapped("#" + std::to_string(i + 1) + " = " + comparison_.sides[i].name, page_, 5);
    return text;
  }
  [[nodiscard]] bool shown(const ComparisonRow& row) const {
    return all_ || comparison_.headline(row);
  }

  [[nodiscard]] std::string pair() const {
    const Columns columns(
        {{title_width}, {mean_width}, {mean_width}, {ratio_width}, {verdict_width}}, page_, paint_);
    std::string out = columns.row({"", names_[0], names_[1], "ratio to " + first_name()});
    for (const ComparisonRow& in_seconds : comparison_.rows) {
      if (!shown(in_seconds)) continue;
      const ComparisonRow row = in_fitting_unit(in_seconds);
      const Versus& versus = row.versus[1];
      const std::vector<TableCell> cells{
          {heading(row)},
          {mean_text(row.means[0])},
          {mean_text(row.means[1])},
          {versus_text(versus)},
          {short_verdict(*row.metric, versus), ink_of(merit(*row.metric, versus))}};
      out += columns.row(cells);
    }
    return out + "\n";
  }

  [[nodiscard]] std::string blocks() const {
    std::size_t name_width = 0;
    for (const std::string& name : names_) name_width = std::max(name_width, columns_of(name));
    std::string out = in_blocks(0, std::max(mean_width, name_width),
                                [](const ComparisonRow& row, std::size_t side) {
                                  return TableCell{mean_text(row.means[side])};
                                });
    if (names_.size() < 2) return out;
    out += wrapped("Ratio to " + first_name() +
                       " (+ better, - worse, < less, > more, ~ not distinguishable, "
                       "? too few runs, ! not comparable)",
                   page_, 2);
    return out + in_blocks(1, std::max(ratio_width + 2, name_width),
                           [](const ComparisonRow& row, std::size_t side) {
                             const Versus& versus = row.versus[side];
                             const std::string sign = sign_of(*row.metric, versus);
                             return TableCell{sign + " " + versus_text(versus),
                                              ink_of(merit(*row.metric, versus))};
                           });
  }
  // The sides from `first` on, as many beside each other as fit.
  template <class F>
  [[nodiscard]] std::string in_blocks(std::size_t first, std::size_t width, F cell) const {
    const std::size_t room = page_ > title_width ? page_ - title_width : 0;
    const std::size_t at_once = std::max<std::size_t>(1, room / (width + 1));
    std::string out;
    for (std::size_t from = first; from < names_.size(); from += at_once) {
      const std::size_t to = std::min(names_.size(), from + at_once);
      std::vector<TableColumn> columns(1 + to - from, {width});
      columns.front().width = title_width;
      out += block(Columns(columns, page_, paint_), from, to, cell) + "\n";
    }
    return out;
  }
  template <class F>
  [[nodiscard]] std::string block(const Columns& columns, std::size_t from, std::size_t to,
                                  F cell) const {
    std::vector<TableCell> cells{{""}};
    for (std::size_t i = from; i < to; ++i) cells.push_back({names_[i]});
    std::string out = columns.row(cells);
    for (const ComparisonRow& in_seconds : comparison_.rows) {
      if (!shown(in_seconds)) continue;
      const ComparisonRow row = in_fitting_unit(in_seconds);
      cells = {{heading(row)}};
      for (std::size_t i = from; i < to; ++i) cells.push_back(cell(row, i));
      out += columns.row(cells);
    }
    return out;
  }

  const Comparison& comparison_;
  std::size_t page_;
  Painter paint_;
  bool all_;
  bool beside_;  // both sides, their ratio and the verdict on one line
  std::vector<std::string> names_;
};

// The meanings of the short words of the table, where they occur.
std::vector<std::string> notes_on(const Comparison& comparison, bool all) {
  std::vector<std::string> notes;
  const auto occurs = [&](Verdict verdict) {
    return std::ranges::any_of(comparison.rows, [&](const ComparisonRow& row) {
      return (all || comparison.headline(row)) && row.versus.back().verdict == verdict &&
             !verdict_text(*row.metric, row.versus.back()).empty();
    });
  };
  if (const std::string note = difference_note(comparison, all); !note.empty())
    notes.push_back(note);
  if (comparison.sides.size() != 2) return notes;
  if (occurs(Verdict::not_distinguishable))
    notes.emplace_back("Unclear is what is not distinguishable: the interval allows both.");
  if (occurs(Verdict::not_comparable)) notes.emplace_back("Void is what is not comparable.");
  return notes;
}

Ink ink_of(Standing standing) {
  return one_of(standing, {Ink::green, Ink::yellow, Ink::yellow, Ink::red});
}

}  // namespace

std::string text_of(const Comparison& comparison, const TextOptions& options) {
  const Painter paint(options.colour);
  std::string out = Table(comparison, options).text();
  out += wrapped(method_text(comparison), options.columns, 0);
  for (const std::string& note : notes_on(comparison, options.all))
    out += wrapped(note, options.columns, 0);
  if (const std::string judged = judged_text(comparison); !judged.empty())
    out += wrapped(judged, options.columns, 0);
  for (const std::string& warning : comparison.warnings)
    out += paint(Ink::yellow, wrapped("! " + warning, options.columns, 2));
  return out;
}

// With many cells, each claim is summarised once, with the cells where it holds and where not,
// unless all are requested.
std::string text_of(std::span<const ClaimResult> claims, const TextOptions& options) {
  constexpr std::size_t indent = 20;
  constexpr std::size_t few_cells = 3;
  const Painter paint(options.colour);
  const std::size_t room = options.columns > 2 * indent ? options.columns - indent : indent;
  std::string out;
  const auto add = [&](Standing standing, const std::string& claim, const std::string& reason) {
    std::istringstream lines(wrapped(claim, room, 2) + wrapped(reason, room, 0));
    std::string margin = paint(ink_of(standing), fitted(std::string(name_of(standing)), indent));
    for (std::string line; std::getline(lines, line); margin = std::string(indent, ' '))
      out += margin + line + "\n";
  };
  for (const ClaimSummary& summary : by_claim(claims)) {
    if (summary.results.size() > few_cells && !options.all) {
      add(summary.standing, summary.claim, text_of(summary));
      continue;
    }
    for (const ClaimResult* result : summary.results)
      add(result->standing, result->claim + (result->cell.empty() ? "" : " (" + result->cell + ")"),
          result->reason);
  }
  return out;
}

}  // namespace rhizome::tools
