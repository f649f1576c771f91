// Rows of comma-separated values (RFC 4180), or of values that another character separates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/text/fields.hpp"
#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

// The fields of one line, valid as long as the line and until the next one. A field in double
// quotes may contain separators, and a quote that is written twice; blanks around others do not
// count.
class DelimitedRow {
 public:
  // With a blank as separator, fields are what runs of white space separate.
  explicit DelimitedRow(char separator = ',') : separator_(separator) {}

  // Throws InputError for a quote that is not closed on its line, and for text behind a closed one.
  void read(const LineSource& lines, std::string_view line);
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }

 private:
  void read_quoting(const LineSource& lines, std::string_view line);
  // The field that begins there, and where it ends.
  std::size_t quoted(const LineSource& lines, std::string_view line, std::size_t begin);

  char separator_;
  std::vector<Field> fields_;
  std::string unquoted_;  // text of quoted fields
};

}  // namespace rhizome::scenarios
