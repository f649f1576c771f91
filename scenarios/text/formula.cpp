#include "scenarios/text/formula.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "scenarios/text/formula_node.hpp"
#include "scenarios/text/nearest.hpp"

namespace rhizome::scenarios {

namespace {

using Kind = FormulaNode::Kind;
using Type = FormulaNode::Type;
using Function = FormulaNode::Function;

std::string name_of(const TableRow& row, std::size_t cell) {
  return cell < row.names.size() ? row.names[cell] : "$" + std::to_string(cell + 1);
}

const Field& field_of(const FormulaNode& node, const TableRow& row) {
  return row.fields[node.cell];
}

std::string_view text_of(const FormulaNode& node, const TableRow& row) {
  return node.kind == Kind::cell ? field_of(node, row).text : std::string_view(node.text);
}

double number_of(const FormulaNode& node, const TableRow& row);

double date_of(const FormulaNode& node, const TableRow& row) {
  if (const auto date = parse_date(text_of(node, row))) return *date;
  const std::string what = node.kind == Kind::cell ? name_of(row, node.cell) : "a date";
  row.lines.refuse(node.kind == Kind::cell ? field_of(node, row).column : 1,
                   what + " must be a date such as \"2024-05-17 08:30:00\", without a time zone");
}

double function_of(const FormulaNode& node, const TableRow& row) {
  if (node.function == Function::date) return date_of(*node.parts[0], row);
  double value = number_of(*node.parts[0], row);
  switch (node.function) {
    case Function::abs:
      return std::abs(value);
    case Function::ceil:
      return std::ceil(value);
    case Function::floor:
      return std::floor(value);
    default:
      break;
  }
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    const double other = number_of(*node.parts[i], row);
    value = node.function == Function::min ? std::min(value, other) : std::max(value, other);
  }
  return value;
}

double number_of(const FormulaNode& node, const TableRow& row) {
  const auto part = [&](std::size_t i) { return number_of(*node.parts[i], row); };
  switch (node.kind) {
    case Kind::number:
      return node.value;
    case Kind::cell:
      return real_field(row.lines, field_of(node, row), name_of(row, node.cell));
    case Kind::negative:
      return -part(0);
    case Kind::add:
      return part(0) + part(1);
    case Kind::subtract:
      return part(0) - part(1);
    case Kind::multiply:
      return part(0) * part(1);
    case Kind::divide:
      return part(0) / part(1);
    default:
      return function_of(node, row);
  }
}

template <class T>
bool compare(Kind kind, const T& a, const T& b) {
  switch (kind) {
    case Kind::equal:
      return a == b;
    case Kind::unequal:
      return a != b;
    case Kind::less:
      return a < b;
    case Kind::at_most:
      return a <= b;
    case Kind::more:
      return a > b;
    default:
      return a >= b;
  }
}

bool truth_of(const FormulaNode& node, const TableRow& row) {
  const FormulaNode& first = *node.parts[0];
  switch (node.kind) {
    case Kind::opposite:
      return !truth_of(first, row);
    case Kind::both:
      return truth_of(first, row) && truth_of(*node.parts[1], row);
    case Kind::either:
      return truth_of(first, row) || truth_of(*node.parts[1], row);
    default:
      break;
  }
  const FormulaNode& second = *node.parts[1];
  if (first.type == Type::text || second.type == Type::text)
    return compare(node.kind, text_of(first, row), text_of(second, row));
  return compare(node.kind, number_of(first, row), number_of(second, row));
}

void collect_cells(const FormulaNode& node, std::vector<std::size_t>& cells) {
  if (node.kind == Kind::cell) cells.push_back(node.cell);
  for (const auto& part : node.parts) collect_cells(*part, cells);
}

}  // namespace

Formula::Formula(std::string_view text, Gives gives, std::span<const std::string> names)
    : text_(text), root_(parse_formula(text, names)) {
  const bool truth = root_->type == Type::truth;
  if (gives == Gives::truth && !truth)
    throw FormulaError("the formula must be true or false, as a comparison is");
  if (gives == Gives::number && (truth || root_->type == Type::text))
    throw FormulaError("the formula must give a number");
  collect_cells(*root_, cells_);
}
Formula::~Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;

double Formula::number(const TableRow& row) const {
  const double value = number_of(*root_, row);
  if (!std::isfinite(value)) row.lines.refuse(column(row), "\"" + text_ + "\" is no finite number");
  return value;
}

bool Formula::truth(const TableRow& row) const { return truth_of(*root_, row); }

std::size_t Formula::column(const TableRow& row) const {
  return cells_.empty() ? 1 : row.fields[cells_.front()].column;
}

std::string Formula::called(const TableRow& row, std::string_view purpose) const {
  if (root_->kind == Kind::cell) return name_of(row, root_->cell);
  return std::string(purpose) + " (" + text_ + ")";
}

std::size_t Formula::columns_needed() const {
  return cells_.empty() ? 0 : *std::ranges::max_element(cells_) + 1;
}

std::size_t column_at(std::string_view text, std::span<const std::string> names) {
  if (text.starts_with('$')) {
    constexpr std::size_t most = 10'000;
    std::size_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + 1, end, number);
    if (error != std::errc{} || rest != end || number == 0 || number > most)
      throw FormulaError("\"" + std::string(text.substr(0, 40)) +
                         "\" is no column: the first one is $1");
    if (!names.empty() && number > names.size())
      throw FormulaError("there is no column " + std::string(text) + ": there are " +
                         std::to_string(names.size()));
    return number - 1;
  }
  const auto known = std::ranges::find(names, text);
  if (known != names.end()) return static_cast<std::size_t>(known - names.begin());
  const std::string what = "there is no column \"" + std::string(text.substr(0, 40)) + "\"";
  throw FormulaError(names.empty() ? what + ": columns without names are $1, $2 and so on"
                                   : what + suggestion(text, names));
}

namespace {

// Takes so many digits off the front; nothing if there are fewer.
std::optional<int> digits(std::string_view& text, std::size_t count) {
  int value = 0;
  if (text.size() < count) return {};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + count, value);
  if (error != std::errc{} || rest != text.data() + count || value < 0) return {};
  text.remove_prefix(count);
  return value;
}
bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Hours, minutes, seconds and their fraction.
std::optional<double> parse_time_of_day(std::string_view text) {
  const auto hours = digits(text, 2);
  if (!hours || *hours > 23 || !take(text, ':')) return {};
  const auto minutes = digits(text, 2);
  if (!minutes || *minutes > 59) return {};
  double seconds = 0;
  if (take(text, ':')) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
    if (error != std::errc{} || rest != end || !(seconds >= 0 && seconds < 61)) return {};
  } else if (!text.empty()) {
    return {};
  }
  return *hours * 3600.0 + *minutes * 60.0 + seconds;
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
  const auto year = digits(text, 4);
  if (!year || !take(text, '-')) return {};
  const auto month = digits(text, 2);
  if (!month || !take(text, '-')) return {};
  const auto day = digits(text, 2);
  if (!day) return {};
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return {};
  constexpr double a_day = 86'400;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const double midnight = static_cast<double>(days) * a_day;
  if (text.empty()) return midnight;
  if (!take(text, ' ') && !take(text, 'T')) return {};
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto time = parse_time_of_day(text);
  if (!time) return {};
  return midnight + *time;
}

}  // namespace rhizome::scenarios
