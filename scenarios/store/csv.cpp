#include "scenarios/store/csv.hpp"

#include "scenarios/text/shortest.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::string_view line_end = "\r\n";

std::string field_of(const Statement& row, int column) {
  if (const auto real = row.real(column)) return shortest(*real);
  return csv_field(row.text(column));
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
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
