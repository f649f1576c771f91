#include "scenarios/world/workload/csv.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "scenarios/text/delimited.hpp"
#include "scenarios/text/formula.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/lines.hpp"
#include "scenarios/world/workload/trace.hpp"

namespace rhizome::scenarios {

namespace {

// A formula error, and the key that holds the formula.
struct KeyError {
  std::string key;
  std::string text;
};

// Converts to seconds by a single division or multiplication, so that it rounds only once.
double in_seconds(double value, TableUnit unit) {
  switch (unit) {
    case TableUnit::s:
      return value;
    case TableUnit::ms:
      return value / 1e3;
    case TableUnit::us:
      return value / 1e6;
    case TableUnit::ns:
      return value / 1e9;
    case TableUnit::min:
      return value * 60;
    case TableUnit::h:
      return value * 3600;
    case TableUnit::d:
      return value * 86'400;
  }
  return value;
}

char separator_of(const std::string& word) {
  if (word == "tab" || word == "\t") return '\t';
  if (word == "blank" || word == " ") return ' ';
  if (word.size() != 1 || word == "\"" || std::isalnum(static_cast<unsigned char>(word[0])) != 0)
    throw KeyError{"separator", "\"separator\" must be one character, \"tab\" or \"blank\""};
  return word[0];
}

// The options of the scenario; the layout gives those that the scenario leaves out.
CsvOptions options_of(const WorkloadSection& section, const CsvLayout& layout) {
  CsvOptions options = section.own.of<CsvOptions>();
  const CsvOptions& usual = layout.options;
  const auto fill = [](std::string& said, const std::string& otherwise) {
    if (said.empty()) said = otherwise;
  };
  for (const auto member :
       {&CsvOptions::columns, &CsvOptions::arrival, &CsvOptions::duration, &CsvOptions::job,
        &CsvOptions::tasks, &CsvOptions::task_cpus, &CsvOptions::task_memory, &CsvOptions::estimate,
        &CsvOptions::filter, &CsvOptions::require})
    fill(options.*member, usual.*member);
  return options;
}

// The formulas and columns of the options, once the names of the columns are known.
class Meaning {
 public:
  Meaning(const CsvOptions& options, const std::vector<std::string>& names)
      : arrival(needed("arrival", options.arrival, names)),
        duration(needed("duration", options.duration, names)),
        tasks(formula("tasks", options.tasks, names)),
        cpus(formula("task_cpus", options.task_cpus, names)),
        memory(formula("task_memory", options.task_memory, names)),
        estimate(formula("estimate", options.estimate, names)),
        filter(formula("filter", options.filter, names, Formula::Gives::truth)),
        require(formula("require", options.require, names, Formula::Gives::truth)) {
    if (!options.job.empty()) blame("job", [&] { job = column_at(options.job, names); });
  }

  // The number of columns that the formulas need.
  [[nodiscard]] std::size_t columns() const {
    std::size_t most = std::max(arrival.columns_needed(), duration.columns_needed());
    for (const auto* one : {&tasks, &cpus, &memory, &estimate, &filter, &require})
      if (*one) most = std::max(most, (*one)->columns_needed());
    return job ? std::max(most, *job + 1) : most;
  }

  Formula arrival;
  Formula duration;
  std::optional<Formula> tasks, cpus, memory, estimate, filter, require;
  std::optional<std::size_t> job;

 private:
  template <class F>
  static std::invoke_result_t<F> blame(const std::string& key, F&& make) {
    try {
      return make();
    } catch (const FormulaError& error) {
      throw KeyError{key, "\"" + key + "\": " + error.what()};
    }
  }
  static Formula needed(const std::string& key, const std::string& text,
                        const std::vector<std::string>& names) {
    if (text.empty())
      throw KeyError{key, "\"" + key + "\" is missing: a column, or a formula of columns"};
    return blame(key, [&] { return Formula(text, Formula::Gives::number, names); });
  }
  static std::optional<Formula> formula(const std::string& key, const std::string& text,
                                        const std::vector<std::string>& names,
                                        Formula::Gives gives = Formula::Gives::number) {
    if (text.empty()) return {};
    return blame(key, [&] { return Formula(text, gives, names); });
  }
};

// FNV-1a, in 64 bits: rows with equal texts belong to one job.
std::int64_t number_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return static_cast<std::int64_t>(hash);
}

class CsvTrace final : public TraceFormat {
 public:
  CsvTrace(CsvOptions options, const CsvLayout& layout)
      : options_(std::move(options)), layout_(layout), row_(separator_of(options_.separator)) {
    if (options_.columns.empty()) {
      if (!options_.header) understand();
      return;
    }
    read_names();
    understand();
  }

  std::optional<TraceLine> read(const LineSource& lines, std::string_view line) override {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) return {};
    try {
      row_.read(lines, line);
      if (std::exchange(first_, false) && is_header(lines)) return {};
      return task(lines);
    } catch (const KeyError& error) {
      lines.refuse(1, error.text);
    } catch (const InputError& error) {
      if (!meaning_ || in_header_) throw;
      if (bad_++ == 0) bad_row_ = error;
      return {};
    }
  }

  // Throws KeyError for options that do not fit the names in the first line.
  void check_names(const LineSource& lines, std::string_view line) {
    row_.read(lines, line);
    (void)is_header(lines);
  }
  [[nodiscard]] bool understood() const { return meaning_.has_value(); }

  // All rows have been read.
  void end() const override {
    if (bad_ == 0 || options_.on_bad_row == BadRow::skip) return;
    if (bad_ == 1) throw *bad_row_;
    throw InputError(bad_row_->place(),
                     std::string(bad_row_->what()) + "; it is the first of " +
                         std::to_string(bad_) +
                         " rows that do not fit: on_bad_row = \"skip\" leaves them out");
  }

  std::vector<std::string> remarks() const override {
    std::vector<std::string> remarks;
    if (filtered_ > 0)
      remarks.push_back("rows left out by the filter: " + std::to_string(filtered_));
    if (bad_ > 0)
      remarks.push_back("rows left out because they do not fit: " + std::to_string(bad_) +
                        ", the first being " + bad_row_->what());
    return remarks;
  }

 private:
  void understand() { meaning_.emplace(options_, names_); }

  // Reads the names of the columns from the options, where commas separate them.
  void read_names() {
    std::vector<Field> fields;
    split(options_.columns, ',', fields);
    for (const Field& field : fields) {
      const std::size_t begin = field.text.find_first_not_of(' ');
      const std::size_t end = field.text.find_last_not_of(' ');
      if (begin == std::string_view::npos)
        throw KeyError{"columns", "\"columns\" has an empty name"};
      names_.emplace_back(field.text.substr(begin, end - begin + 1));
    }
    refuse_doubled("columns");
  }
  void refuse_doubled(const std::string& key) const {
    std::vector<std::string> sorted = names_;
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice == sorted.end()) return;
    throw KeyError{key, "two columns are named \"" + twice->substr(0, 40) +
                            "\": give them names with \"columns\""};
  }

  // Whether the row that was read is a line of column names. If a header is expected, the first row
  // must be one. A later row that begins with the first name must repeat all names.
  bool is_header(const LineSource& lines) {
    if (!options_.header) return false;
    in_header_ = true;
    const bool named = meaning_.has_value();
    const std::vector<Field>& fields = row_.fields();
    if (named && fields.front().text != names_.front()) {
      in_header_ = false;
      return false;
    }
    if (named) {
      expect_fields(lines, fields, names_.size(), "a task");
      for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].text != names_[i])
          lines.refuse(fields[i].column, "this column must be " + names_[i]);
    } else {
      for (const Field& field : fields) names_.emplace_back(field.text);
      refuse_doubled("arrival");
      understand();
    }
    in_header_ = false;
    return true;
  }

  void expect_row(const LineSource& lines) {
    const std::vector<Field>& fields = row_.fields();
    if (layout_.other_table > 0 && fields.size() == layout_.other_table)
      lines.refuse(1, layout_.advice);
    if (names_.empty() && width_ == 0) width_ = std::max(fields.size(), meaning_->columns());
    expect_fields(lines, fields, names_.empty() ? width_ : names_.size(), "a task");
  }

  std::optional<TraceLine> task(const LineSource& lines) {
    expect_row(lines);
    const TableRow row{lines, row_.fields(), names_};
    if (meaning_->filter && !meaning_->filter->truth(row)) {
      ++filtered_;
      return {};
    }
    if (meaning_->require && !meaning_->require->truth(row))
      lines.refuse(meaning_->require->column(row),
                   "this row is not as required: " + options_.require);
    TraceLine task;
    if (meaning_->job) task.job = number_of(row.fields[*meaning_->job].text);
    task.run = seconds(row, meaning_->duration, "duration");
    if (meaning_->estimate) task.estimate = seconds(row, *meaning_->estimate, "estimate");
    if (meaning_->memory) task.memory = checked(row, *meaning_->memory, "task_memory", 1e15);
    task.tasks = counted(row, meaning_->tasks, "tasks");
    task.cpus = counted(row, meaning_->cpus, "task_cpus");
    task.submitted = submitted(row);
    return task;
  }

  // The value, checked to be from 0 to `most`.
  static double checked(const TableRow& row, const Formula& formula, const char* key, double most) {
    const double value = formula.number(row);
    if (value < 0)
      row.lines.refuse(formula.column(row), formula.called(row, key) + " must not be negative");
    if (value > most)
      row.lines.refuse(formula.column(row), formula.called(row, key) + " is impossibly large");
    return value;
  }
  [[nodiscard]] double seconds(const TableRow& row, const Formula& formula, const char* key) const {
    const double one = in_seconds(1, options_.duration_unit);
    return in_seconds(checked(row, formula, key, longest_seconds / one), options_.duration_unit);
  }
  static std::uint32_t counted(const TableRow& row, const std::optional<Formula>& formula,
                               const char* key) {
    constexpr double most = 1e6;
    if (!formula) return 1;
    const double value = checked(row, *formula, key, most);
    if (value < 1 || value != std::floor(value))
      row.lines.refuse(formula->column(row),
                       formula->called(row, key) + " must be a whole number, at least 1");
    return static_cast<std::uint32_t>(value);
  }
  // Times since the first row that is used. In a double, times since 1970 would have no digits left
  // for microseconds.
  double submitted(const TableRow& row) {
    const double value = checked(row, meaning_->arrival, "arrival", 1e300);
    if (!origin_) origin_ = value;
    const double since = in_seconds(value - *origin_, options_.arrival_unit);
    if (std::abs(since) > longest_seconds)
      row.lines.refuse(meaning_->arrival.column(row),
                       meaning_->arrival.called(row, "arrival") +
                           " is impossibly far from that of the first row");
    return since;
  }

  const CsvOptions options_;
  const CsvLayout layout_;  // a copy: the default layout does not outlive the call
  DelimitedRow row_;
  std::vector<std::string> names_;
  std::optional<Meaning> meaning_;
  bool first_ = true;
  bool in_header_ = false;
  std::size_t width_ = 0;  // of a table without names
  std::optional<double> origin_;
  std::size_t filtered_ = 0;
  std::size_t bad_ = 0;
  std::optional<InputError> bad_row_;
};

}  // namespace

std::optional<Complaint> csv_complaint(const WorkloadSection& section, const CsvLayout& layout) {
  try {
    CsvTrace trace(options_of(section, layout), layout);
    Lines lines(section.file);
    std::string_view line;
    while (!trace.understood() && lines.next(line))
      if (line.find_first_not_of(" \t") != std::string_view::npos && !line.starts_with('#'))
        trace.check_names(lines, line);
  } catch (const KeyError& error) {
    return Complaint{{error.key}, error.text};
  }
  return {};
}

std::unique_ptr<agents::Arrivals> open_csv(const WorkloadSection& section,
                                           const CsvLayout& layout) {
  const bool apart = section.own.of<CsvOptions>().task_arrivals == TaskArrivals::apart;
  try {
    return open_trace(section, std::make_unique<CsvTrace>(options_of(section, layout), layout),
                      {.apart = apart});
  } catch (const KeyError& error) {
    throw InputError(section.file, 1, 1, error.text);
  }
}

}  // namespace rhizome::scenarios
