#include "scenarios/outcome/books.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace rhizome::scenarios {

namespace {

using agents::TaskId;

class Books {
 public:
  explicit Books(Outcome& outcome) : outcome_(outcome) {}

  void expect(const agents::Workload& workload) {
    for (const agents::Job& job : workload.jobs) {
      first_.push_back(outcome_.tasks.size());
      outcome_.jobs.push_back({.id = job.id, .arrived = job.arrival});
      for (const agents::Task& task : job.portions) {
        outcome_.tasks.push_back({.id = task.id});
        cpus_.push_back(1);
        describe(agents::submitted(task), outcome_.tasks.size() - 1, outcome_.jobs.size() - 1);
      }
    }
    first_.push_back(outcome_.tasks.size());
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
  // Where the outcome of a task stands; it is made if there is none.
  std::size_t place_of(TaskId id) {
    if (std::size_t{id.job} + 1 < first_.size()) {
      const std::size_t i = first_[id.job] + id.portion;
      if (i < first_[id.job + 1]) return i;
    }
    const auto [born, fresh] = born_.try_emplace(agents::subject_of(id), outcome_.tasks.size());
    if (fresh) {
      outcome_.tasks.push_back({.id = id});
      cpus_.push_back(1);
    }
    return born->second;
  }
  TaskOutcome& task_of(TaskId id) { return outcome_.tasks[place_of(id)]; }

  // Where the outcome of a job stands; it is made if there is none.
  std::size_t job_place_of(std::uint32_t id, Time arrived) {
    if (std::size_t{id} + 1 < first_.size()) return id;
    const auto [born, fresh] = born_jobs_.try_emplace(id, outcome_.jobs.size());
    if (fresh) outcome_.jobs.push_back({.id = id, .arrived = arrived});
    return born->second;
  }

  void describe(const agents::TaskSubmitted& submission, std::size_t task, std::size_t job) {
    outcome_.tasks[task].duration = submission.duration;
    cpus_[task] = submission.cpus;
    JobOutcome& whole = outcome_.jobs[job];
    whole.work += submission.duration;
    whole.longest = std::max(whole.longest, submission.duration);
    ++whole.portions;
  }

  void submit(const Noted<agents::TaskSubmitted>& noted) {
    const std::size_t i = place_of(noted.fact.task);
    if (outcome_.tasks[i].submitted) return;
    outcome_.tasks[i].submitted = true;
    outcome_.tasks[i].submitted_at = noted.at;
    if (i >= first_.back()) describe(noted.fact, i, job_place_of(noted.fact.task.job, noted.at));
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
      JobOutcome& job = outcome_.jobs[job_place_of(task.id.job, {})];
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
        peer.busy += std::min(cpus_[place_of(noted.fact.task)], peer.slots) * (ended - began);
    }
  }

  // Last of all, for places change.
  void sort() {
    const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
    std::sort(outcome_.tasks.begin(), outcome_.tasks.end(), by_id);
    std::sort(outcome_.jobs.begin(), outcome_.jobs.end(), by_id);
  }

  Outcome& outcome_;
  std::vector<std::size_t> first_;   // place of the first task of each expected job, and their end
  std::vector<std::uint32_t> cpus_;  // by place of the task
  std::unordered_map<std::uint64_t, std::size_t> born_;       // places of other tasks
  std::unordered_map<std::uint32_t, std::size_t> born_jobs_;  // and of their jobs
};

}  // namespace

void keep_books(Outcome& outcome, const agents::Workload& workload) {
  Books books(outcome);
  books.expect(workload);
  books.keep();
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
