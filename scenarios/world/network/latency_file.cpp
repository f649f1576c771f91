#include "core/peer/number_text.hpp"
#include "scenarios/world/network/latencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "scenarios/text/delimited.hpp"
#include "scenarios/text/fields.hpp"
#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

namespace {

constexpr double longest_milliseconds = 86'400'000;  // a day: more is no round trip
// The bounds of what is read before the shape is known: a few bytes of a compressed file may be
// very many times.
constexpr std::size_t most_hosts = 3000;    // the largest public matrices have 2500
constexpr std::size_t rows_of_pairs = 100;  // that are read of a list of pairs
constexpr const char* wanted =
    "a square matrix of round-trip times in milliseconds, one row a line, is needed";

// Round-trip times in milliseconds; not a number for pairs that were not measured.
using Row = std::vector<double>;
constexpr double unmeasured = std::numeric_limits<double>::quiet_NaN();

// The first of tab, comma and space, in this order, that the line has.
char separator_of(std::string_view line) {
  for (const char separator : {'\t', ','})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

bool is_unmeasured(std::string_view text) {
  if (text == "-") return true;
  const std::optional<double> value = core::parse_number<double>(text);
  return value && (std::isnan(*value) || *value < 0);
}

bool is_name(const Field& field) {
  return !field.text.empty() && !core::parse_number<double>(field.text) && field.text != "-";
}

class LatencyReader {
 public:
  explicit LatencyReader(const std::string& file) : lines_(file) {}

  std::vector<Row> read() {
    for (std::string_view line; lines_.next(line);) {
      if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#'))
        continue;
      DelimitedRow split(separator_of(line));
      split.read(lines_, line);
      add(split.fields());
    }
    if (rows_.empty()) lines_.refuse(1, "there is no matrix in this file");
    check_shape("");
    return std::move(rows_);
  }

 private:
  void add(std::vector<Field> fields) {
    if (!fields.empty() && fields.back().text.empty()) fields.pop_back();
    if (rows_.empty() && !named_ && fields.size() > 1 &&
        !core::parse_number<double>(fields.front().text) &&
        std::all_of(fields.begin() + 1, fields.end(), is_name)) {
      named_ = true;
      return;
    }
    if (named_ && !fields.empty() && is_name(fields.front())) fields.erase(fields.begin());
    if (fields.size() > most_hosts)
      lines_.refuse(1, "this row has " + std::to_string(fields.size()) + " times, and " +
                           std::to_string(most_hosts) + " hosts are the most");
    Row row;
    row.reserve(fields.size());
    for (const Field& field : fields) row.push_back(time(field));
    if (!rows_.empty() && row.size() != rows_.front().size())
      lines_.refuse(1, "this row has " + std::to_string(row.size()) + " times, the first has " +
                           std::to_string(rows_.front().size()));
    rows_.push_back(std::move(row));
    if (rows_.size() > std::max(rows_.front().size(), rows_of_pairs)) check_shape("at least ");
  }

  [[nodiscard]] double time(const Field& field) const {
    if (is_unmeasured(field.text)) return unmeasured;
    return bounded_field(lines_, field, "a round-trip time", longest_milliseconds);
  }

  // Whether the file is a list of pairs, with two host numbers and a time in each line. A matrix of
  // three hosts looks alike except for its diagonal, which is 0.
  [[nodiscard]] bool is_list_of_pairs() const {
    if (rows_.front().size() != 3) return false;
    bool diagonal = rows_.size() == 3;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (row[0] == row[1]) return false;
      // What was not measured is no whole number either.
      if (row[0] != std::floor(row[0]) || row[1] != std::floor(row[1])) return false;
      diagonal = diagonal && (row[i] == 0 || std::isnan(row[i]));
    }
    return !diagonal;
  }

  void check_shape(const std::string& at_least) const {
    if (is_list_of_pairs())
      lines_.refuse(1, std::string("these are pairs of hosts and times; ") + wanted);
    if (rows_.size() != rows_.front().size())
      lines_.refuse(1, "the matrix has " + at_least + std::to_string(rows_.size()) + " rows but " +
                           std::to_string(rows_.front().size()) + " columns; " + wanted);
  }

  Lines lines_;
  std::vector<Row> rows_;
  bool named_ = false;
};

// The median over the measured pairs of different hosts; 0 if there are none.
double median_of(const std::vector<Row>& rows) {
  std::vector<double> all;
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < rows.size(); ++b)
      if (a != b && !std::isnan(rows[a][b])) all.push_back(rows[a][b]);
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

// The time of the other direction where this one was not measured.
double measured(const std::vector<Row>& rows, std::size_t a, std::size_t b) {
  return std::isnan(rows[a][b]) ? rows[b][a] : rows[a][b];
}

}  // namespace

MeasuredLatency read_latency_file(const std::string& file) {
  const std::vector<Row> rows = LatencyReader(file).read();
  const double usual = median_of(rows);
  MeasuredLatency made;
  made.matrix.reserve(rows.size());
  for (std::size_t a = 0; a < rows.size(); ++a) {
    std::vector<core::Duration>& row = made.matrix.emplace_back();
    row.reserve(rows.size());
    for (std::size_t b = 0; b < rows.size(); ++b) {
      const double time = measured(rows, a, b);
      made.unmeasured += std::isnan(time) && a < b ? 1 : 0;
      const double otherwise = a == b ? 0 : usual;
      row.push_back(core::from_seconds((std::isnan(time) ? otherwise : time) / 2e3));
    }
  }
  return made;
}

}  // namespace rhizome::scenarios
