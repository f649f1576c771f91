// Formulas over the columns of a table, as a scenario writes them: "run_us * cpu_request / 9.7",
// "status == \"Terminated\" && end > start". There are numbers, texts in single or double quotes,
// columns by name (`in backquotes` where it has other characters than letters, digits, _ and .) or
// by number ($3), + - * /, == != < <= > >=, && || !, parentheses, and the functions abs, ceil,
// floor, min, max and date, which turns "2024-05-17 08:30:00" into seconds since 1970.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/text/fields.hpp"
#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

// A text is no formula, or names a column that there is not: a sentence with the place in it.
class FormulaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The input of a formula: the fields of the present line of a source, and the names of the columns.
// All outlive it.
struct TableRow {
  const LineSource& lines;
  const std::vector<Field>& fields;
  std::span<const std::string> names;
};

struct FormulaNode;

class Formula {
 public:
  enum class Gives : std::uint8_t { number, truth };

  // Throws FormulaError, also for a formula of another type, and for a column that is not among the
  // names; with no names at all, for any column by name.
  Formula(std::string_view text, Gives gives, std::span<const std::string> names);
  ~Formula();
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;

  // Throw InputError at the column for a field that is no number where one is needed, and for a
  // number that is not finite.
  [[nodiscard]] double number(const TableRow& row) const;
  [[nodiscard]] bool truth(const TableRow& row) const;

  // The column to blame for a result that cannot be used: the first that the formula reads.
  [[nodiscard]] std::size_t column(const TableRow& row) const;
  // The name of its column, or its purpose and its text: for error messages.
  [[nodiscard]] std::string called(const TableRow& row, std::string_view purpose) const;
  // The most columns that a row must have for it.
  [[nodiscard]] std::size_t columns_needed() const;

 private:
  std::string text_;
  std::unique_ptr<FormulaNode> root_;
  std::vector<std::size_t> cells_;  // columns from 0, in order of appearance
};

// The position, from 0, of a column by name or "$number". Throws FormulaError.
[[nodiscard]] std::size_t column_at(std::string_view text, std::span<const std::string> names);

// Seconds since 1970 of a date, or a date and a time of day, without a time zone or with Z. Nothing
// for any other text.
[[nodiscard]] std::optional<double> parse_date(std::string_view text);

}  // namespace rhizome::scenarios
