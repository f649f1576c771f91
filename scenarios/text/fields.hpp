// Numbers in a line of a trace, with the column of each for error messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/text/lines.hpp"
#include "scenarios/text/source_text.hpp"

namespace rhizome::scenarios {

struct Field {
  std::string_view text;
  std::size_t column = 1;  // from 1
};

// Splits at every separator; with a blank one, at runs of white space.
void split(std::string_view line, char separator, std::vector<Field>& fields);

// The most seconds that a trace may speak of, 31 years: sums of a few still fit into a Duration.
inline constexpr double longest_seconds = 1e9;

// Each throws InputError, naming the field, when its text is not such a number.
[[nodiscard]] double real_field(const LineSource& lines, const Field& field, std::string_view name);
[[nodiscard]] std::int64_t integer_field(const LineSource& lines, const Field& field,
                                         std::string_view name);
// A number from 0 to `most`, both included.
[[nodiscard]] double bounded_field(const LineSource& lines, const Field& field,
                                   std::string_view name, double most);

// The same for a text at that offset of a whole file.
[[nodiscard]] double bounded_number(const SourceText& source, std::size_t offset,
                                    std::string_view text, std::string_view name, double most);

// Throws InputError unless the line of `what` ("a task") has that many fields.
void expect_fields(const LineSource& lines, const std::vector<Field>& fields, std::size_t count,
                   std::string_view what);

}  // namespace rhizome::scenarios
