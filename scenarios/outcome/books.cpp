#include "core/peer/time.hpp"
#include "scenarios/outcome/make_outcome.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace rhizome::scenarios {

namespace {

using agents::TaskId;

class Books {
 public:
  explicit Books(Outcome& outcome) : outcome_(outcome) {}

  // Jobs that were handed in are listed, whether or not their tasks were ever ready to run. The
  // tasks of a job that came in parts are known once the parts are submitted, each as a whole.
  void expect() {
    std::map<std::uint32_t, JobOutcome> handed_in;
    for (const auto& noted : outcome_.facts.of<agents::JobSubmitted>()) {
      const agents::JobSubmitted& fact = noted.fact;
      JobOutcome& job =
          handed_in.try_emplace(fact.job, JobOutcome{.id = fact.job, .arrived = fact.arrived})
              .first->second;
      job.portions += fact.tasks;
      core::add_up(job.work, fact.work);
      job.longest = std::max(job.longest, fact.longest);
      if (!fact.whole) parted_.insert(fact.job);
    }
    std::size_t tasks = 0;
    for (const auto& [id, job] : handed_in) tasks += job.portions;
    outcome_.tasks.reserve(tasks);
    for (const auto& [id, job] : handed_in) {
      const std::uint32_t listed = parted_.contains(id) ? 0 : job.portions;
      places_.emplace(id, Place{outcome_.jobs.size(), outcome_.tasks.size(), listed});
      outcome_.jobs.push_back(job);
      for (std::uint32_t portion = 0; portion < listed; ++portion)
        outcome_.tasks.push_back({.id = {id, portion}});
    }
    cpus_.assign(outcome_.tasks.size(), 1);
  }

  void keep() {
    const Facts& facts = outcome_.facts;
    for (const auto& noted : facts.of<agents::TaskSubmitted>()) submit(noted);
    for (const auto& noted : facts.of<agents::TaskStarted>()) {
      TaskOutcome& task = task_of(noted.fact.task);
      if (task.starts++ == 0) task.started_at = noted.at;
    }
    for (const auto& noted : facts.of<agents::TaskExecuted>())
      ++task_of(noted.fact.task).executions;
    for (const auto& noted : facts.of<agents::TaskCompleted>()) complete(noted);
    for (const auto& noted : facts.of<agents::TaskDuplicate>())
      ++task_of(noted.fact.task).duplicates;
    for (const auto& noted : facts.of<agents::TaskReissued>()) ++task_of(noted.fact.task).reissues;
    complete_jobs();
    add_busy();
    if (!born_.empty()) sort();
  }

 private:
  // The index of a job, and the tasks that were handed in with it.
  struct Place {
    std::size_t job = 0;
    std::size_t first = 0;
    std::uint32_t tasks = 0;
  };

  // The index of a task's outcome, which is made if there is none.
  std::size_t place_of(TaskId id) {
    const auto known = places_.find(id.job);
    if (known != places_.end() && id.portion < known->second.tasks)
      return known->second.first + id.portion;
    const auto [born, fresh] = born_.try_emplace(agents::subject_of(id), outcome_.tasks.size());
    if (fresh) {
      outcome_.tasks.push_back({.id = id});
      cpus_.push_back(1);
    }
    return born->second;
  }
  TaskOutcome& task_of(TaskId id) { return outcome_.tasks[place_of(id)]; }

  // The outcome of a job; it is made if there is none.
  JobOutcome& job_of(std::uint32_t id, Time arrived) {
    const auto [known, fresh] = places_.try_emplace(id, Place{.job = outcome_.jobs.size()});
    if (fresh) outcome_.jobs.push_back({.id = id, .arrived = arrived});
    return outcome_.jobs[known->second.job];
  }

  void submit(const Noted<agents::TaskSubmitted>& noted) {
    const agents::TaskSubmitted& fact = noted.fact;
    const std::size_t i = place_of(fact.task);
    TaskOutcome& task = outcome_.tasks[i];
    if (task.submitted) return;
    task.submitted = true;
    task.submitted_at = noted.at;
    task.duration = fact.duration;
    cpus_[i] = fact.cpus;
    if (born_.contains(agents::subject_of(fact.task)) && !parted_.contains(fact.task.job))
      count(fact, noted.at);
  }

  // A task that was born in the run adds to its job.
  void count(const agents::TaskSubmitted& fact, Time at) {
    JobOutcome& job = job_of(fact.task.job, at);
    core::add_up(job.work, fact.duration);
    job.longest = std::max(job.longest, fact.duration);
    ++job.portions;
  }

  // The first result decides on time and executor; each one more is a duplicate, as it is when its
  // source knows it for one.
  void complete(const Noted<agents::TaskCompleted>& noted) {
    TaskOutcome& task = task_of(noted.fact.task);
    ++task.completions;
    if (std::exchange(task.completed, true)) {
      ++task.duplicates;
      return;
    }
    task.completed_at = noted.at;
    task.executor = noted.fact.executor;
  }

  void complete_jobs() {
    for (JobOutcome& job : outcome_.jobs) job.completed = true;
    for (const TaskOutcome& task : outcome_.tasks) {
      JobOutcome& job = job_of(task.id.job, {});
      job.completed = job.completed && task.completed;
      job.completed_at = std::max(job.completed_at, task.completed_at);
    }
    for (JobOutcome& job : outcome_.jobs)
      if (!job.completed) job.completed_at = {};
  }

  // A task with more processors than its peer has slots ran alone on all of them, and what ran on
  // after the last result was in, or before the first task was known, is outside of the makespan.
  void add_busy() {
    const auto [begin, end] = makespan_of(outcome_);
    for (const auto& noted : outcome_.facts.of<agents::TaskExecuted>()) {
      PeerOutcome& peer = outcome_.peers[noted.peer.value];
      const Time began = std::max(begin, noted.at - noted.fact.took);
      const Time ended = std::min(end, noted.at);
      if (began < ended)
        core::add_up(peer.busy, core::times(std::min(cpus_[place_of(noted.fact.task)], peer.slots),
                                            ended - began));
    }
  }

  // Last of all, for places change.
  void sort() {
    const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
    std::ranges::sort(outcome_.tasks, by_id);
    std::ranges::sort(outcome_.jobs, by_id);
  }

  Outcome& outcome_;
  std::unordered_map<std::uint32_t, Place> places_;      // of jobs
  std::unordered_set<std::uint32_t> parted_;             // jobs of which parts were handed in
  std::vector<std::uint32_t> cpus_;                      // by place of the task
  std::unordered_map<std::uint64_t, std::size_t> born_;  // places of tasks that were not handed in
};

}  // namespace

void keep_books(Outcome& outcome) {
  Books books(outcome);
  books.expect();
  books.keep();
}

bool results_known(const Outcome& outcome) {
  return outcome.lost.empty() ||
         std::ranges::any_of(outcome.jobs, [](const JobOutcome& job) { return job.portions > 0; });
}

Makespan makespan_of(const Outcome& outcome) {
  Time first = Time::max();
  Time last{};
  for (const TaskOutcome& task : outcome.tasks) {
    if (task.submitted) first = std::min(first, task.submitted_at);
    if (task.completed) last = std::max(last, task.completed_at);
  }
  if (first == Time::max()) first = Time{};
  return {.begin = first, .end = std::max(first, last)};
}

}  // namespace rhizome::scenarios
