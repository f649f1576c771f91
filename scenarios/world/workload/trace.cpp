#include "scenarios/world/workload/trace.hpp"

#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/trace_jobs.hpp"

namespace rhizome::scenarios {

namespace {

// The jobs of the window of the scenario, scaled and numbered anew.
class TraceArrivals final : public agents::Arrivals {
 public:
  TraceArrivals(const WorkloadSection& section, std::unique_ptr<TraceFormat> format,
                const TraceReading& reading)
      : section_(section),
        reading_(reading),
        jobs_(section.file, std::move(format), reading.window) {}

  std::optional<agents::Job> next() override {
    while (!over_) {
      const std::optional<TraceJob> traced = read();
      std::size_t* const reason = traced ? reason_against(*traced) : nullptr;
      if (traced && reason == nullptr) return job_of(*traced);
      if (reason != nullptr) ++*reason;
      over_ = reason != &too_early_;
    }
    if (taken_ == 0) throw InputError(section_.file, 1, 1, "no job of the trace is left to run");
    return {};
  }

  std::vector<std::string> remarks() override {
    while (const std::optional<TraceJob> traced = read()) {
      std::size_t* const reason = reason_against(*traced);
      reason != nullptr ? ++*reason : ++taken_;
    }
    std::vector<std::string> remarks;
    const auto remark = [&](std::size_t count, const char* why) {
      if (count > 0)
        remarks.push_back(std::to_string(count) + " of " + std::to_string(all_) +
                          " jobs left out: " + why);
    };
    remark(too_early_, "before workload.from");
    remark(too_late_, "not before workload.until");
    remark(too_many_, "beyond workload.max_jobs");
    for (std::string& each : jobs_.format().remarks()) remarks.push_back(std::move(each));
    return remarks;
  }

 private:
  std::optional<TraceJob> read() {
    std::optional<TraceJob> traced = jobs_.next();
    if (traced && all_++ == 0 && !jobs_.format().absolute()) origin_ = traced->submitted;
    return traced;
  }

  // The count of jobs that are left out for the same reason as this one; nullptr: it is taken.
  [[nodiscard]] std::size_t* reason_against(const TraceJob& traced) {
    if (traced.submitted < origin_ + core::seconds(section_.from)) return &too_early_;
    if (section_.until.count() > 0 && traced.submitted >= origin_ + core::seconds(section_.until))
      return &too_late_;
    return section_.max_jobs > 0 && taken_ == section_.max_jobs ? &too_many_ : nullptr;
  }

  // A line of a few bytes may stand for a million tasks, and each of them is made.
  void check_tasks(const TraceJob& traced) {
    std::uint64_t here = 0;
    for (const TraceTasks& tasks : traced.tasks) here += tasks.count;
    tasks_ += here;
    const auto refuse = [&](const std::string& what, std::uint64_t most) {
      throw InputError(section_.file, traced.line, 1,
                       what + " more than " + std::to_string(most) +
                           " tasks, each of which is made: take fewer jobs with workload.max_jobs, "
                           "workload.from or workload.until");
    };
    if (here > reading_.tasks_of_job) refuse("the job that begins here has", reading_.tasks_of_job);
    if (tasks_ > reading_.tasks) refuse("with this job the jobs have", reading_.tasks);
  }

  [[nodiscard]] agents::Job job_of(const TraceJob& traced) {
    check_tasks(traced);
    if (taken_ == 0 && !jobs_.format().absolute()) first_ = traced.submitted;
    const std::uint32_t id = taken_++;
    agents::Job job{.id = id, .arrival = arrival(traced.submitted), .portions = {}};
    for (const TraceTasks& tasks : traced.tasks)
      for (std::uint32_t i = 0; i < tasks.count; ++i)
        job.portions.push_back(
            {.id = {id, static_cast<std::uint32_t>(job.portions.size())},
             .duration = core::from_seconds(tasks.run * section_.duration_scale),
             .memory = tasks.memory,
             .cpus = tasks.cpus,
             .recipe = tasks.recipe,
             .estimate = core::from_seconds(tasks.estimate * section_.duration_scale),
             .after =
                 reading_.apart ? arrival(tasks.submitted) - job.arrival : core::Duration::zero()});
    return job;
  }
  [[nodiscard]] core::Time arrival(double submitted) const {
    return core::Time{} + core::from_seconds((submitted - first_) / section_.time_compression);
  }

  const WorkloadSection section_;
  const TraceReading reading_;
  TraceJobs jobs_;
  double origin_ = 0;  // when the first job of the trace was submitted
  double first_ = 0;   // and the first of the window
  std::size_t all_ = 0;
  // Jobs that are left out: before the window, after it, and beyond max_jobs.
  std::size_t too_early_ = 0;
  std::size_t too_late_ = 0;
  std::size_t too_many_ = 0;
  std::uint32_t taken_ = 0;
  std::uint64_t tasks_ = 0;  // of these
  bool over_ = false;
};

}  // namespace

std::unique_ptr<agents::Arrivals> open_trace(const WorkloadSection& section,
                                             std::unique_ptr<TraceFormat> format,
                                             const TraceReading& reading) {
  return std::make_unique<TraceArrivals>(section, std::move(format), reading);
}

}  // namespace rhizome::scenarios
