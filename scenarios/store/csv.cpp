#include "scenarios/store/csv.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "scenarios/store/schema.hpp"
#include "scenarios/text/plain_text.hpp"
#include "scenarios/text/shortest.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::string_view line_end = "\r\n";

std::string field_of(const Statement& row, int column) {
  if (const auto real = row.real(column)) return shortest(*real);
  if (row.is_text(column)) return csv_field(row.text(column));
  return row.text(column);
}

// A spreadsheet computes a cell that begins like a formula, unless an apostrophe stands before it.
// To some, a cell begins at a semicolon or a tab, and there the marks of a quotation may be left
// out.
std::string without_formula(std::string_view text) {
  std::string safe;
  bool begins = true;
  for (const char c : text) {
    const std::string_view first = safe.empty() ? "=+-@" : "=+-@\"";
    if (begins && first.find(c) != text.npos) safe += '\'';
    safe += c;
    begins = std::string_view(";\t\r\n").find(c) != text.npos;
  }
  return safe;
}

std::string in_marks(std::string_view text, char mark) {
  std::string out(1, mark);
  for (const char c : text) {
    if (c == mark) out += mark;
    out += c;
  }
  return out + mark;
}

// The value that a sweep chose, without quotes: 250ms, not "250ms".
constexpr std::string_view chosen =
    "CASE WHEN json_valid(value) AND json_type(value) IN ('integer', 'real', 'text') "
    "THEN json_extract(value, '$') ELSE value END";

// The names in a column are put in order here: SQLite would copy them all to do so, before it gives
// a row that its allowance counts.
std::set<std::string> metrics_in(const Database& database) {
  std::set<std::string> names;
  Statement rows = database.prepare("SELECT metric FROM metrics");
  rows.start();
  while (rows.next()) names.insert(rows.text(0));
  return names;
}

// The keys that were swept, as their first cell has them.
std::set<std::pair<std::int64_t, std::string>> keys_in(const Database& database) {
  std::map<std::string, std::int64_t> places;
  Statement rows = database.prepare("SELECT key, position FROM cells");
  rows.start();
  while (rows.next()) {
    std::string key;
    std::int64_t position = 0;
    rows.take(key, position);
    const auto [place, is_new] = places.try_emplace(key, position);
    place->second = std::min(place->second, position);
  }
  std::set<std::pair<std::int64_t, std::string>> keys;
  for (const auto& [key, place] : places) keys.emplace(place, key);
  return keys;
}

// A column for each key that was swept, of a table with a column `run`.
std::string swept_columns(const Database& database, const std::string& table) {
  std::string columns;
  for (const auto& [place, key] : keys_in(database))
    columns += ", (SELECT " + std::string(chosen) + " FROM cells WHERE cells.run = " + table +
               ".run AND key = " + in_marks(key, '\'') + ") AS " + in_marks(key, '"');
  return columns;
}

// A row for each run, a column for each metric.
std::string wide_query(const Database& database) {
  std::string columns;
  for (const std::string& metric : metrics_in(database))
    columns += ", max(value) FILTER (WHERE metric = " + in_marks(metric, '\'') + ") AS " +
               in_marks(metric, '"');
  return "SELECT run, label, repetition, seed, ending, validity, failure" +
         swept_columns(database, "runs") + columns +
         " FROM runs LEFT JOIN metrics USING (run) GROUP BY run";
}

// All columns; for the summary, one more for each swept key, and why a run failed.
std::string query_of(const Database& database, std::string_view table) {
  if (table == wide_table) return wide_query(database);
  if (table == "summary")
    return "WITH summary AS (" + std::string(summary_select()) + ") SELECT *" +
           swept_columns(database, "summary") +
           ", (SELECT failure FROM runs WHERE runs.run = summary.run) AS failure FROM summary";
  return "SELECT * FROM " + std::string(table);
}

}  // namespace

std::string csv_field(std::string_view words) {
  const std::string text = without_formula(plain_lines(words));
  if (text.find_first_of(",;\t\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

void write_csv(const Database& database, std::string_view table, std::ostream& out) {
  Statement query = database.prepare(query_of(database, table));
  const std::vector<std::string> names = query.column_names();
  for (std::size_t i = 0; i < names.size(); ++i) out << (i > 0 ? "," : "") << csv_field(names[i]);
  out << line_end;
  query.start();
  while (query.next()) {
    for (std::size_t i = 0; i < names.size(); ++i)
      out << (i > 0 ? "," : "") << field_of(query, static_cast<int>(i));
    out << line_end;
  }
}

}  // namespace rhizome::scenarios
