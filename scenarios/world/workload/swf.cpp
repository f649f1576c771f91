#include <algorithm>
#include <cstdint>

#include "scenarios/text/fields.hpp"
#include "scenarios/world/workload/trace.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::size_t columns = 18;
// Positions of the fields that are used, from 0; -1 in any stands for "not known".
constexpr std::size_t submit = 1;
constexpr std::size_t run_time = 3;
constexpr std::size_t allocated = 4;
constexpr std::size_t requested = 7;

// Jobs, and how many lines were not taken as they stand.
class Collector {
 public:
  explicit Collector(const Lines& lines) : lines_(lines) {}

  void add(const std::vector<Field>& fields) {
    expect_fields(lines_, fields, columns, "a job");
    for (std::size_t i = 0; i < columns; ++i)
      (void)real_field(lines_, fields[i], "field " + std::to_string(i + 1));
    const double run = real_field(lines_, fields[run_time], "the run time");
    if (run <= 0) {
      ++without_run_;
    } else if (const std::size_t processors = processors_of(fields); processors == 0) {
      ++without_processors_;
    } else {
      const TraceTask task{
          .run = bounded_field(lines_, fields[run_time], "the run time", longest_seconds),
          .memory = 0};
      jobs.push_back(
          {.submitted = bounded_field(lines_, fields[submit], "the submit time", longest_seconds),
           .tasks = std::vector<TraceTask>(processors, task)});
    }
  }

  // What was left out or guessed, in sentences.
  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> remarks;
    const auto remark = [&remarks](const char* what, std::size_t count) {
      if (count > 0) remarks.push_back(what + std::to_string(count));
    };
    remark("jobs left out because they have no run time: ", without_run_);
    remark("jobs left out because they have no processors: ", without_processors_);
    remark("jobs with the processors they requested, those allocated being unknown: ",
           as_requested_);
    return remarks;
  }

  std::vector<TraceJob> jobs;

 private:
  std::size_t processors_of(const std::vector<Field>& fields) {
    constexpr std::int64_t most = 1'000'000;
    std::int64_t processors = integer_field(lines_, fields[allocated], "allocated processors");
    if (processors <= 0) {
      processors = integer_field(lines_, fields[requested], "requested processors");
      as_requested_ += processors > 0 ? 1 : 0;
    }
    if (processors > most)
      lines_.refuse(fields[allocated].column, "no machine has so many processors");
    return static_cast<std::size_t>(std::max<std::int64_t>(processors, 0));
  }

  const Lines& lines_;
  std::size_t without_run_ = 0;
  std::size_t without_processors_ = 0;
  std::size_t as_requested_ = 0;
};

}  // namespace

LoadedWorkload read_swf(const WorkloadSection& section) {
  Lines lines(section.file);
  Collector collector(lines);
  std::vector<Field> fields;
  for (std::string_view line; lines.next(line);) {
    split(line, ' ', fields);
    if (!fields.empty() && !fields.front().text.starts_with(';')) collector.add(fields);
  }
  LoadedWorkload loaded = cut_trace(std::move(collector.jobs), section);
  for (std::string& remark : collector.remarks()) loaded.remarks.push_back(std::move(remark));
  return loaded;
}

}  // namespace rhizome::scenarios
