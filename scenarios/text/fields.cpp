#include "scenarios/text/fields.hpp"

#include <cmath>
#include <type_traits>

#include "core/peer/number_text.hpp"

namespace rhizome::scenarios {

void split(std::string_view line, char separator, std::vector<Field>& fields) {
  fields.clear();
  const bool blank = separator == ' ';
  const auto separates = [=](char c) { return blank ? c == ' ' || c == '\t' : c == separator; };
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && !separates(line[i])) continue;
    if (!blank || i > begin) fields.push_back({line.substr(begin, i - begin), begin + 1});
    begin = i + 1;
  }
}

namespace {

// A refused field as shown in a message: shortened, without control characters.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result(text.substr(0, most));
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  return '"' + result + (text.size() > most ? "...\"" : "\"");
}

template <class T>
T number_field(const LineSource& lines, const Field& field, std::string_view name) {
  const auto value = core::parse_number<T>(field.text);
  if (!value)
    lines.refuse(field.column, std::string(name) + " must be " +
                                   (std::is_integral_v<T> ? "a whole number" : "a number") +
                                   ", not " + shown(field.text));
  return *value;
}

}  // namespace

double real_field(const LineSource& lines, const Field& field, std::string_view name) {
  const double value = number_field<double>(lines, field, name);
  if (!std::isfinite(value))
    lines.refuse(field.column, std::string(name) + " must be a finite number");
  return value;
}

std::int64_t integer_field(const LineSource& lines, const Field& field, std::string_view name) {
  return number_field<std::int64_t>(lines, field, name);
}

double bounded_field(const LineSource& lines, const Field& field, std::string_view name,
                     double most) {
  const double value = real_field(lines, field, name);
  if (value < 0) lines.refuse(field.column, std::string(name) + " must not be negative");
  if (value > most) lines.refuse(field.column, std::string(name) + " is impossibly large");
  return value;
}

double bounded_number(const SourceText& source, std::size_t offset, std::string_view text,
                      std::string_view name, double most) {
  const auto value = core::parse_number<double>(text);
  if (!value || !(*value >= 0 && *value <= most))
    source.refuse(offset, std::string(name) + " must be a number between 0 and " +
                              std::to_string(static_cast<std::uint64_t>(most)) + ", not " +
                              shown(text));
  return *value;
}

void expect_fields(const LineSource& lines, const std::vector<Field>& fields, std::size_t count,
                   std::string_view what) {
  if (fields.size() == count) return;
  const std::size_t column = fields.size() > count ? fields[count].column : fields.back().column;
  lines.refuse(column, std::string(what) + " has " + std::to_string(count) +
                           " fields, but this line has " + std::to_string(fields.size()));
}

}  // namespace rhizome::scenarios
