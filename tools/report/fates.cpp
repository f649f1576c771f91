#include "tools/report/parts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/report/blocks.hpp"

namespace rhizome::tools {

namespace {

using Names = std::vector<std::string>;
constexpr std::size_t most_rows = 100;
constexpr const char* others = "others";

bool holds(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// All rows of a part that any of the fates has, in the order of the first that has it. Causes are
// words of the program, and few; a stranger's store may have others for each contestant.
Names rows_of(std::span<const Contestant> contestants, std::size_t part) {
  Names all;
  for (const Contestant& contestant : contestants)
    for (const FateRow& row : contestant.fate.parts[part].rows) {
      if (holds(all, row.what)) continue;
      if (all.size() == most_rows) {
        all.back() = others;
        return all;
      }
      all.push_back(row.what);
    }
  return all;
}

// The row of that name; the last of the names takes in all rows without one.
FateRow row_of(const FatePart& part, const Names& names, const std::string& name) {
  FateRow sum{.what = name};
  for (const FateRow& row : part.rows) {
    const bool is_other = name == others && !holds(names, row.what);
    if (row.what != name && !is_other) continue;
    sum.times += row.times;
    if (row.tasks) sum.tasks = sum.tasks.value_or(0) + *row.tasks;
  }
  return sum;
}

// "430.2 (12.51 %)"; without a share where none was concerned.
std::string cell_of(const Fate& fate, std::size_t part, const Names& names,
                    const std::string& name) {
  if (!fate.parts[part].known()) return "not known";
  const FateRow row = row_of(fate.parts[part], names, name);
  if (row.times == 0) return "0";
  std::string text = fmt::format("{:.1f}", fate.parts[part].per_run(row));
  if (const auto share = fate.parts[part].share(row))
    text += fmt::format(" ({:.2f} %)", 100 * *share);
  return text;
}

void add_part(Element table, std::span<const Contestant> contestants, std::size_t part) {
  Element body = table.add("tbody");
  const std::string columns = std::to_string(contestants.size() + 1);
  body.add("tr")
      .add("th", {{"scope", "rowgroup"}, {"colspan", columns}, {"class", "part"}})
      .text(contestants.front().fate.parts[part].title);
  const Names rows = rows_of(contestants, part);
  const bool known = std::ranges::any_of(
      contestants, [part](const Contestant& each) { return each.fate.parts[part].known(); });
  if (rows.empty())
    body.add("tr")
        .add("td", {{"colspan", columns}, {"class", "soft"}})
        .text(known ? "none" : "not known");
  for (const std::string& what : rows) {
    Element row = body.add("tr");
    row.add("th", {{"scope", "row"}, {"class", what.starts_with(' ') ? "sub" : "whole"}})
        .text(what);
    for (const Contestant& contestant : contestants)
      row.add("td", {{"data-of", contestant.name}})
          .text(cell_of(contestant.fate, part, rows, what));
  }
  table.end_line();
}

}  // namespace

void add_fates(Element page, std::span<const Contestant> contestants) {
  if (contestants.empty()) return;
  Element table = page.add("div", {{"class", "scroll"}}).add("table", {{"class", "stack"}});
  table.add("caption").text(
      "How often in a mean run, and in brackets the share of all tasks that it happened to.");
  Element head = table.add("thead").add("tr");
  head.add("th", {{"scope", "col"}}).text("what happened");
  for (const Contestant& contestant : contestants)
    head.add("th", {{"scope", "col"}}).text(contestant.name);
  for (std::size_t part = 0; part < contestants.front().fate.parts.size(); ++part)
    add_part(table, contestants, part);
  page.end_line();
}

}  // namespace rhizome::tools
