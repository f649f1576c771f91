#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "scenarios/text/fields.hpp"
#include "scenarios/world/workload/trace.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::array<std::string_view, 10> columns = {
    "job_id",   "task_index",       "submit_us", "wait_us",     "run_us",
    "attempts", "scheduling_class", "priority",  "cpu_request", "memory_request"};

// A first line that names columns must name just these, or every number would be taken for another.
void check_header(const Lines& lines, const std::vector<Field>& fields) {
  expect_fields(lines, fields, columns.size(), "a task");
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (fields[i].text != columns[i])
      lines.refuse(fields[i].column, "this column must be " + std::string(columns[i]));
}

// Collects the tasks of jobs that may lie scattered over the file.
class Collector {
 public:
  explicit Collector(const Lines& lines) : lines_(lines) {}

  void add(const std::vector<Field>& fields) {
    expect_fields(lines_, fields, columns.size(), "a task");
    for (const std::size_t unused : {1U, 3U, 5U, 6U, 7U})
      (void)real_field(lines_, fields[unused], columns[unused]);
    const std::int64_t id = integer_field(lines_, fields[0], columns[0]);
    const double submitted = field(fields, 2, longest_seconds * micro) / micro;
    const TraceTask task{.run = field(fields, 4, longest_seconds * micro) / micro,
                         .memory = field(fields, 9, 1.0)};
    const auto [known, fresh] = positions_.try_emplace(id, jobs.size());
    if (fresh) jobs.push_back({.submitted = submitted, .tasks = {}});
    TraceJob& job = jobs[known->second];
    job.submitted = std::min(job.submitted, submitted);
    job.tasks.push_back(task);
  }

  std::vector<TraceJob> jobs;

 private:
  static constexpr double micro = 1e6;
  double field(const std::vector<Field>& fields, std::size_t i, double most) const {
    return bounded_field(lines_, fields[i], columns[i], most);
  }
  const Lines& lines_;
  std::unordered_map<std::int64_t, std::size_t> positions_;  // looked up only, never iterated
};

}  // namespace

LoadedWorkload read_google_trace(const WorkloadSection& section) {
  Lines lines(section.file);
  Collector collector(lines);
  std::vector<Field> fields;
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line.starts_with('#')) continue;
    split(line, ',', fields);
    if (line.starts_with(columns[0])) {
      check_header(lines, fields);
    } else {
      collector.add(fields);
    }
  }
  return cut_trace(std::move(collector.jobs), section);
}

}  // namespace rhizome::scenarios
