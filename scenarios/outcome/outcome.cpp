#include "scenarios/outcome/outcome.hpp"

#include <algorithm>
#include <utility>

#include "agents/facts.hpp"
#include "scenarios/outcome/failure.hpp"
#include "scenarios/outcome/invariants.hpp"
#include "scenarios/outcome/line_facts.hpp"
#include "scenarios/outcome/validity.hpp"

namespace rhizome::scenarios {

namespace {

namespace facts = agents::facts;

PeerOutcome peer_outcome(const core::EngineReport& report, const agents::World& world,
                         std::uint32_t i) {
  const core::Recorder& recorder = report.recorders[i];
  const auto rows = recorder.burdens().rows();
  return {.id = core::PeerId{i},
          .speed = world.capacities[i].speed,
          .slots = world.capacities[i].slots,
          .restarts = report.incarnations[i].value,
          .alive = report.alive[i],
          .finished = report.finished[i],
          .busy = Duration{0},
          .burdens = {rows.begin(), rows.end()},
          .drops = recorder.drop_counts(),
          .sent = recorder.sent_count(),
          .received = recorder.received_count(),
          .duplicated = recorder.duplicated_count(),
          .in_flight = recorder.in_flight_count()};
}

// Where a fact stands: as the how manyth of which peer.
struct Place {
  Time at;
  std::uint32_t peer;
  std::uint32_t number;
  friend auto operator<=>(const Place&, const Place&) = default;
};

std::vector<Place> places_of_facts(const core::EngineReport& report) {
  std::size_t size = 0;
  for (const core::Recorder& recorder : report.recorders) size += recorder.fact_log().size();
  std::vector<Place> places;
  places.reserve(size);
  for (std::uint32_t peer = 0; peer < report.recorders.size(); ++peer) {
    const core::FactLog& log = report.recorders[peer].fact_log();
    for (std::uint32_t i = 0; i < log.size(); ++i) places.push_back({log.at(i), peer, i});
  }
  return places;
}

// All peers' facts in order of time; at equal times in order of peers. Places are sorted instead of
// facts, which are many and several times as large.
std::vector<FactOutcome> merge_facts(const core::EngineReport& report) {
  std::vector<Place> places = places_of_facts(report);
  std::sort(places.begin(), places.end());
  std::vector<FactOutcome> merged;
  merged.reserve(places.size());
  constexpr std::size_t ahead = 16;  // hardly any is in a cache
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + ahead < places.size()) {
      const Place& coming = places[i + ahead];
      report.recorders[coming.peer].fact_log().prefetch(coming.number);
    }
    const Place& place = places[i];
    const core::Fact fact = report.recorders[place.peer].fact_log()[place.number].fact;
    merged.push_back({place.at, core::PeerId{place.peer}, fact.name, fact.subject, fact.other,
                      fact.value, fact.reason});
  }
  return merged;
}

// Finds the outcome of a task by its id.
class TaskIndex {
 public:
  TaskIndex(Outcome& outcome, const agents::Workload& workload) : outcome_(outcome) {
    for (const agents::Job& job : workload.jobs) {
      first_.push_back(outcome.tasks.size());
      JobOutcome made{.id = job.id, .arrived = job.arrival};
      for (const agents::Task& task : job.portions) {
        outcome.tasks.push_back({.id = task.id, .duration = task.duration});
        cpus_.push_back(task.cpus);
        made.work += task.duration;
        made.longest = std::max(made.longest, task.duration);
        ++made.portions;
      }
      outcome.jobs.push_back(made);
    }
    first_.push_back(outcome.tasks.size());
  }
  // Slots that a task of the outcome occupies.
  [[nodiscard]] std::uint32_t cpus(const TaskOutcome& task) const {
    return cpus_[static_cast<std::size_t>(&task - outcome_.tasks.data())];
  }
  // Null for a task that the workload does not have.
  TaskOutcome* find(std::uint64_t subject) {
    const agents::TaskId id = agents::task_of(subject);
    if (id.job + 1 >= first_.size()) return nullptr;
    const std::size_t i = first_[id.job] + id.portion;
    return i < first_[id.job + 1] ? &outcome_.tasks[i] : nullptr;
  }

 private:
  Outcome& outcome_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> cpus_;
};

// The first result decides on time and executor; each one more is a duplicate, as it is when its
// source knows it for one.
void complete(TaskOutcome& task, const FactOutcome& fact) {
  ++task.completions;
  if (task.completed) {
    ++task.duplicates;
    return;
  }
  task.completed = true;
  task.completed_at = fact.at;
  task.executor = fact.other;
}

void account(TaskIndex& tasks, const FactOutcome& fact) {
  if (!fact.name.starts_with("task-")) return;
  TaskOutcome* task = tasks.find(fact.subject);
  if (task == nullptr) return;
  if (fact.name == facts::task_submitted) {
    if (!std::exchange(task->submitted, true)) task->submitted_at = fact.at;
  } else if (fact.name == facts::task_started) {
    if (task->starts++ == 0) task->started_at = fact.at;
  } else if (fact.name == facts::task_executed) {
    ++task->executions;
  } else if (fact.name == facts::task_completed) {
    complete(*task, fact);
  } else if (fact.name == facts::task_duplicate) {
    ++task->duplicates;
  } else if (fact.name == facts::task_reissued) {
    ++task->reissues;
  }
}

// A task with more processors than its peer has slots ran alone on all of them, and what ran on
// after the last result was in, or before the first task was known, is outside of the makespan.
void add_busy(Outcome& outcome, TaskIndex& tasks) {
  const auto [begin, end] = makespan_of(outcome);
  for (const FactOutcome& fact : outcome.facts) {
    if (fact.name != facts::task_executed) continue;
    const TaskOutcome* task = tasks.find(fact.subject);
    if (task == nullptr) continue;
    PeerOutcome& peer = outcome.peers[fact.peer.value];
    const Time began = std::max(begin, fact.at - core::from_seconds(fact.value));
    const Time ended = std::min(end, fact.at);
    if (began < ended) peer.busy += std::min(tasks.cpus(*task), peer.slots) * (ended - began);
  }
}

// Tasks stand in the order of their jobs.
void complete_jobs(Outcome& outcome) {
  std::size_t task = 0;
  for (JobOutcome& job : outcome.jobs) {
    job.completed = true;
    for (std::uint32_t i = 0; i < job.portions; ++i, ++task) {
      job.completed = job.completed && outcome.tasks[task].completed;
      job.completed_at = std::max(job.completed_at, outcome.tasks[task].completed_at);
    }
    if (!job.completed) job.completed_at = {};
  }
}

void add_samples(Outcome& outcome, const core::EngineReport& report, Duration period) {
  if (period <= Duration::zero()) return;
  const auto sample = [&](std::size_t i) -> SampleOutcome& {
    while (outcome.samples.size() <= i)
      outcome.samples.push_back(
          {.from = Time{} + period * static_cast<std::int64_t>(outcome.samples.size())});
    return outcome.samples[i];
  };
  for (const core::Recorder& recorder : report.recorders)
    for (std::size_t i = 0; i < recorder.samples().size(); ++i)
      for (std::size_t c = 0; c < core::message_classes; ++c)
        sample(i).messages[c] += recorder.samples()[i].messages[c];
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed)
      ++sample(static_cast<std::size_t>(task.completed_at.time_since_epoch() / period)).completed;
}

HistogramOutcome histogram_outcome(std::string name, const core::Histogram& histogram) {
  HistogramOutcome made{.name = std::move(name), .buckets = {}};
  histogram.for_each_bucket([&](std::int64_t upper, std::uint64_t count) {
    made.buckets.push_back({upper, count});
  });
  return made;
}

void add_messages(Outcome& outcome, const core::EngineReport& report) {
  for (const core::Recorder& recorder : report.recorders)
    for (const core::ReceivedMessage& message : recorder.messages()) {
      const core::PacketHeader& header = message.header;
      outcome.messages.push_back({.sent = header.sent,
                                  .received = message.at,
                                  .from = header.from,
                                  .to = header.to,
                                  .service = header.service,
                                  .type = header.type,
                                  .cause = header.cause,
                                  .units = header.units,
                                  .bytes = message.bytes});
    }
  std::stable_sort(outcome.messages.begin(), outcome.messages.end(),
                   [](const MessageOutcome& a, const MessageOutcome& b) {
                     return std::pair(a.received, a.to) < std::pair(b.received, b.to);
                   });
}

void add_histograms(Outcome& outcome, const core::Fidelity& fidelity) {
  outcome.histograms = {histogram_outcome("packet lag", fidelity.packet_lag),
                        histogram_outcome("timer lag", fidelity.timer_lag),
                        histogram_outcome("work lag", fidelity.work_lag),
                        histogram_outcome("handler time", fidelity.handler_time),
                        histogram_outcome("inbox depth", fidelity.inbox_depth)};
}

}  // namespace

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

std::vector<MessageKind> message_kinds(const core::Peer& peer) {
  std::vector<MessageKind> kinds;
  for (std::size_t s = 0; s < peer.services().size(); ++s) {
    const core::Service& service = *peer.services()[s];
    for (std::size_t t = 0; t < service.messages().size(); ++t)
      kinds.push_back({std::string(service.name()), std::string(service.messages()[t].name),
                       service.messages()[t].message_class, static_cast<std::uint8_t>(s),
                       static_cast<std::uint8_t>(t)});
  }
  return kinds;
}

Outcome make_outcome(const core::EngineReport& report, const OutcomeInputs& inputs) {
  Outcome outcome;
  outcome.identity = inputs.identity;
  outcome.ending = report.ending;
  outcome.at_least_once = inputs.at_least_once;
  outcome.most_hops = inputs.most_hops;
  outcome.patience = inputs.patience;
  outcome.begun = report.begun;
  outcome.ended = report.ended;
  outcome.events = report.events;
  outcome.armed = report.armed;
  outcome.working = report.working;
  outcome.wall = report.wall;
  outcome.kinds = inputs.kinds;
  for (std::uint32_t i = 0; i < report.recorders.size(); ++i)
    outcome.peers.push_back(peer_outcome(report, *inputs.world, i));
  outcome.facts = merge_facts(report);
  // Who waits at a full line, as sender and as receiver, hears the news so much later.
  outcome.longest_delay = inputs.world->longest_delay + 2 * longest_line_wait(outcome);
  outcome.faults = inputs.faults;
  std::stable_sort(outcome.faults.begin(), outcome.faults.end(),
                   [](const core::Fault& a, const core::Fault& b) { return a.at < b.at; });
  std::erase_if(outcome.faults, [&](const core::Fault& fault) { return fault.at > report.ended; });
  outcome.queueing = inputs.queueing;
  outcome.cuts = inputs.cuts;
  std::sort(outcome.cuts.begin(), outcome.cuts.end(),
            [](const NetworkCut& a, const NetworkCut& b) { return a.from < b.from; });
  TaskIndex tasks(outcome, inputs.world->workload);
  for (const FactOutcome& fact : outcome.facts) account(tasks, fact);
  add_busy(outcome, tasks);
  complete_jobs(outcome);
  outcome.failure = failure_of(outcome);
  add_samples(outcome, report, inputs.sample_every);
  add_messages(outcome, report);
  if (inputs.identity.engine == "threads") {
    add_histograms(outcome, report.fidelity);
    outcome.validity =
        judge_validity(report.fidelity, lag_tolerance(inputs.lag_tolerance, inputs.world->workload),
                       inputs.identity.time_scale);
  }
  Examination examination = examine(outcome);
  outcome.violations = std::move(examination.violations);
  outcome.judged = std::move(examination.judged);
  return outcome;
}

}  // namespace rhizome::scenarios
