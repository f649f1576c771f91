#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "scenarios/text/fields.hpp"
#include "scenarios/world/workload/trace.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::size_t fields_of_a_job = 18;
// Positions of the fields that are used, from 0; -1 in any stands for "not known".
constexpr std::size_t submit = 1;
constexpr std::size_t run_time = 3;
constexpr std::size_t allocated = 4;
constexpr std::size_t requested = 7;

// Reads the lines of a log, and counts those that were not taken as they stand.
class StandardWorkload final : public TraceFormat {
 public:
  std::optional<TraceLine> read(const LineSource& lines, std::string_view line) override {
    split(line, ' ', fields_);
    if (fields_.empty() || fields_.front().text.starts_with(';') ||
        fields_.front().text.starts_with('#'))
      return {};
    // Modern logs have more fields than the format.
    if (fields_.size() < fields_of_a_job) expect_fields(lines, fields_, fields_of_a_job, "a job");
    for (std::size_t i = 0; i < fields_of_a_job; ++i)
      (void)real_field(lines, fields_[i], "field " + std::to_string(i + 1));
    if (real_field(lines, fields_[run_time], "the run time") <= 0) {
      ++without_run_;
      return {};
    }
    const std::uint32_t processors = processors_of(lines);
    if (processors == 0) {
      ++without_processors_;
      return {};
    }
    return job(lines, processors);
  }

  std::vector<std::string> remarks() const override {
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

 private:
  // Some logs write all numbers with a point.
  static std::int64_t whole_field(const LineSource& lines, const Field& field,
                                  std::string_view name) {
    constexpr double most = 1e15;
    const double value = real_field(lines, field, name);
    if (value != std::floor(value) || std::abs(value) > most)
      lines.refuse(field.column, std::string(name) + " must be a whole number");
    return static_cast<std::int64_t>(value);
  }

  std::uint32_t processors_of(const LineSource& lines) {
    constexpr std::int64_t most = 1'000'000;
    std::int64_t processors = whole_field(lines, fields_[allocated], "allocated processors");
    if (processors <= 0) {
      processors = whole_field(lines, fields_[requested], "requested processors");
      as_requested_ += processors > 0 ? 1 : 0;
    }
    if (processors > most)
      lines.refuse(fields_[allocated].column, "no machine has so many processors");
    return static_cast<std::uint32_t>(std::max<std::int64_t>(processors, 0));
  }

  [[nodiscard]] TraceLine job(const LineSource& lines, std::uint32_t processors) {
    TraceLine job{.tasks = processors};
    job.run = bounded_field(lines, fields_[run_time], "the run time", longest_seconds);
    job.submitted = submitted(lines);
    return job;
  }

  // The submit time in seconds since the first job that is used: only differences count, and the
  // times of the log may be since 1970.
  double submitted(const LineSource& lines) {
    constexpr double most = 1e15;
    const double at = bounded_field(lines, fields_[submit], "the submit time", most);
    if (!origin_) origin_ = at;
    if (std::abs(at - *origin_) > longest_seconds)
      lines.refuse(fields_[submit].column,
                   "the submit time is impossibly far from that of the first job");
    return at - *origin_;
  }

  std::vector<Field> fields_;
  std::optional<double> origin_;
  std::size_t without_run_ = 0;
  std::size_t without_processors_ = 0;
  std::size_t as_requested_ = 0;
};

}  // namespace

std::unique_ptr<agents::Arrivals> open_swf(const WorkloadSection& section) {
  return open_trace(section, std::make_unique<StandardWorkload>());
}

}  // namespace rhizome::scenarios
