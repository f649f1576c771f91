#include "scenarios/world/workload/job_list.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "scenarios/text/coming_lines.hpp"
#include "scenarios/text/fields.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/job_work.hpp"
#include "scenarios/world/workload/trace.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

JobWork work_of(const WorkloadSection& section) {
  const JobBounds& bounds = section.own.of<JobBounds>();
  const std::string beside = std::filesystem::path(section.file).parent_path().string();
  return {bounds.folder.empty() ? beside : bounds.folder, bounds.programs, bounds.judged,
          bounds.store};
}

class JobList final : public TraceFormat {
 public:
  JobList(const WorkloadSection& section, bool live)
      : bounds_(section.own.of<JobBounds>()), live_(live), work_(work_of(section)) {}

  std::optional<TraceLine> read(const LineSource& lines, std::string_view line) override {
    split(line, ' ', fields_);
    if (fields_.empty() || fields_.front().text.starts_with('#')) return {};
    if (fields_.size() < 3) expect_fields(lines, fields_, 3, "a job");
    TraceLine job{.submitted = submitted(lines)};
    const double tasks = bounded_field(lines, fields_[1], "the number of tasks",
                                       static_cast<double>(bounds_.most_tasks));
    job.tasks = static_cast<std::uint32_t>(integer_field(lines, fields_[1], "the number of tasks"));
    if (tasks < 1) lines.refuse(fields_[1].column, "a job has at least one task");
    job.run = bounded_field(lines, fields_[2], "the seconds of a task",
                            core::seconds(bounds_.longest_task));
    if (job.run <= 0) lines.refuse(fields_[2].column, "a task takes longer than nothing");
    if (fields_.size() > 3) job.recipe = work_.recipe_in(lines, line, fields_[3].column);
    return job;
  }

  [[nodiscard]] bool absolute() const override { return true; }

 private:
  [[nodiscard]] double submitted(const LineSource& lines) const {
    const Field& field = fields_.front();
    const bool now = field.text == "now";
    if (now && !live_)
      lines.refuse(field.column,
                   "\"now\" is for jobs that come through a pipe: say how many "
                   "seconds after the start it is handed in");
    if (!now && live_)
      lines.refuse(field.column, "a job that comes through a pipe is handed in \"now\"");
    return now ? 0 : bounded_field(lines, field, "the time of submission", longest_seconds);
  }

  const JobBounds bounds_;
  const bool live_;
  JobWork work_;
  std::vector<Field> fields_;
};

// Jobs as they come through a pipe.
class ComingJobs final : public agents::Arrivals {
 public:
  explicit ComingJobs(const WorkloadSection& section)
      : lines_(section.file), list_(section, true), left_(section.max_jobs) {}

  std::optional<agents::Job> next() override {
    std::string_view line;
    while (left_ > 0 && lines_.next(line))
      if (const std::optional<TraceLine> said = list_.read(lines_, line)) return job_of(*said);
    if (!awaits() && id_ == 0) throw InputError(lines_.name(), 1, 1, "no job came");
    return {};
  }

  [[nodiscard]] bool awaits() const override { return left_ > 0 && lines_.open(); }

 private:
  agents::Job job_of(const TraceLine& said) {
    agents::Job job{.id = id_++, .arrival = {}, .portions = {}};
    --left_;
    for (std::uint32_t i = 0; i < said.tasks; ++i)
      job.portions.push_back(
          {.id = {job.id, i}, .duration = core::from_seconds(said.run), .recipe = said.recipe});
    return job;
  }

  ComingLines lines_;
  JobList list_;
  std::uint32_t left_;
  std::uint32_t id_ = 0;
};

}  // namespace

std::vector<core::Setting> job_list_settings() {
  return own_settings<WorkloadSection>(
      core::Settings<JobBounds>{}
          .add("most_tasks", &JobBounds::most_tasks,
               {"No job of the list has more tasks; one that has is refused.", "our choice", 1,
                1'000'000})
          .add("longest_task", &JobBounds::longest_task,
               {"No task of the list takes longer; one that does is refused.", "our choice", 1e-6,
                longest_seconds})
          .add(
              "folder", &JobBounds::folder,
              {"The folder of the files that jobs of the list name, relative to the scenario; no "
               "job names a file elsewhere, and outputs go into its folder job-outputs. \"\": that "
               "of the list, and of jobs that come through a pipe the scenario's."})
          .add(
              "programs", &JobBounds::programs,
              {"The programs that jobs of the list may run as children, between blanks; one with a "
               "slash is a path from the folder on. \"\": none."}));
}

std::string* job_list_folder(WorkloadSection& section) {
  return &section.own.change<JobBounds>().folder;
}

std::vector<std::string> programs_of_jobs(const WorkloadSection& section) {
  if (!workload_model(section.kind).bounds) return {};  // no list of jobs
  return work_of(section).programs();
}

std::unique_ptr<agents::Arrivals> open_job_list(const WorkloadSection& section) {
  if (comes_live(section)) return std::make_unique<ComingJobs>(section);
  return open_trace(section, std::make_unique<JobList>(section, false));
}

// The mean duration of the coming tasks is unknown. Unless the scenario says otherwise, it is taken
// to be that of generated tasks.
agents::Profile bounds_of_job_list(const WorkloadSection& section) {
  const JobBounds& bounds = section.own.of<JobBounds>();
  agents::Profile profile;
  profile.jobs = section.max_jobs;
  profile.tasks = std::uint64_t{section.max_jobs} * bounds.most_tasks;
  profile.largest_job = bounds.most_tasks;
  profile.longest = bounds.longest_task;
  const agents::Task task{.duration = bounds.longest_task};
  profile.largest = agents::resources_of(task);
  profile.recipes.insert(task.recipe);
  profile.admits = [work = work_of(section)](const core::Recipe& recipe) {
    return work.admits(recipe);
  };
  profile.work = core::seconds(section.portion_time) * static_cast<double>(profile.tasks);
  return profile;
}

JobRecord::JobRecord(const std::string& file) : name_(file) {
  if (file.empty()) return;
  file_ = std::make_unique<OwnLines>(file);
  static_cast<void>(
      file_->add("# Handed in while the run went on: seconds since its start, tasks, seconds of "
                 "each, and what "
                 "they compute, if anything.\n"));
}

// Writes each job at once, so that the record is kept even if this process is killed.
void JobRecord::add(const agents::Job& job) {
  profile_.add(job);
  if (file_ == nullptr) return;
  const agents::Task& task = job.portions.front();
  const std::string work = words_of(task.recipe);
  if (!file_->add(fmt::format("{:.9f} {} {:.9f}{}{}\n",
                              core::seconds(job.arrival.time_since_epoch()), job.portions.size(),
                              core::seconds(task.duration), work.empty() ? "" : " ", work)))
    throw CannotWrite(name_ + ": cannot be written");
}

}  // namespace rhizome::scenarios
