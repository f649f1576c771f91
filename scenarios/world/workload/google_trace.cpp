#include <array>
#include <string_view>

#include "scenarios/text/fields.hpp"
#include "scenarios/world/workload/trace.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::array<std::string_view, 10> columns = {
    "job_id",   "task_index",       "submit_us", "wait_us",     "run_us",
    "attempts", "scheduling_class", "priority",  "cpu_request", "memory_request"};

// A first line that names columns must name just these, or every number would be taken for another.
void check_header(const LineSource& lines, const std::vector<Field>& fields) {
  expect_fields(lines, fields, columns.size(), "a task");
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (fields[i].text != columns[i])
      lines.refuse(fields[i].column, "this column must be " + std::string(columns[i]));
}

class GoogleTrace final : public TraceFormat {
 public:
  std::optional<TraceLine> read(const LineSource& lines, std::string_view line) override {
    if (line.empty() || line.starts_with('#')) return {};
    split(line, ',', fields_);
    if (!line.starts_with(columns[0])) return task(lines);
    check_header(lines, fields_);
    return {};
  }

 private:
  static constexpr double micro = 1e6;

  [[nodiscard]] TraceLine task(const LineSource& lines) const {
    refuse_events(lines);
    expect_fields(lines, fields_, columns.size(), "a task");
    for (const std::size_t unused : {1U, 3U, 5U, 6U, 7U})
      (void)real_field(lines, fields_[unused], columns[unused]);
    const auto field = [&](std::size_t i, double most) {
      return bounded_field(lines, fields_[i], columns[i], most);
    };
    TraceLine task{.job = integer_field(lines, fields_[0], columns[0])};
    task.submitted = field(2, longest_seconds * micro) / micro;
    task.run = field(4, longest_seconds * micro) / micro;
    (void)field(8, 1.0);
    task.memory = field(9, 1.0);
    return task;
  }

  // A row of Google's own table: its rows are events, of which a task has several.
  void refuse_events(const LineSource& lines) const {
    constexpr std::size_t fields_of_an_event = 13;
    if (fields_.size() == fields_of_an_event)
      lines.refuse(1,
                   "this has the 13 fields of a task event; the events of a task become one line "
                   "of 10 first, as scenarios/data/README.md says");
  }

  std::vector<Field> fields_;
};

}  // namespace

std::unique_ptr<agents::Arrivals> open_google_trace(const WorkloadSection& section) {
  return open_trace(section, std::make_unique<GoogleTrace>());
}

}  // namespace rhizome::scenarios
