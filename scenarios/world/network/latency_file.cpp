#include "scenarios/world/network/latency_file.hpp"

#include "scenarios/text/fields.hpp"

namespace rhizome::scenarios {

namespace {

constexpr double longest_milliseconds = 86'400'000;  // a day: more is no round trip

// Tabs, commas or spaces, whichever comes first in this order.
char separator_of(std::string_view line) {
  for (const char separator : {'\t', ','})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

}  // namespace

core::MatrixLatency::Matrix read_latency_file(const std::string& file) {
  Lines lines(file);
  core::MatrixLatency::Matrix matrix;
  std::vector<Field> fields;
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    split(line, separator_of(line), fields);
    if (!fields.empty() && fields.back().text.empty()) fields.pop_back();
    std::vector<core::Duration> row;
    for (const Field& field : fields) {
      const double milliseconds =
          bounded_field(lines, field, "a round-trip time", longest_milliseconds);
      row.push_back(core::from_seconds(milliseconds / 2e3));
    }
    if (!matrix.empty() && row.size() != matrix.front().size())
      lines.refuse(1, "this row has " + std::to_string(row.size()) + " times, the first has " +
                          std::to_string(matrix.front().size()));
    matrix.push_back(std::move(row));
  }
  if (matrix.empty()) lines.refuse(1, "there is no matrix in this file");
  if (matrix.size() != matrix.front().size())
    lines.refuse(1, "the matrix has " + std::to_string(matrix.size()) + " rows but " +
                        std::to_string(matrix.front().size()) + " columns");
  return matrix;
}

}  // namespace rhizome::scenarios
