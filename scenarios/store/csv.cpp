#include "scenarios/store/csv.hpp"

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
std::string without_formula(std::string_view text) {
  const bool formula = text.find_first_of("=+-@\t\r") == 0;
  return (formula ? "'" : "") + std::string(text);
}

}  // namespace

std::string csv_field(std::string_view words) {
  const std::string text = without_formula(words);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

void write_csv(const Database& database, std::string_view table, std::ostream& out) {
  Statement query = database.prepare("SELECT * FROM " + std::string(table));
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
