// The metrics of phases: a batch of work spreads until all peers have some, keeps all peers busy,
// and ends in a tail (Peterson, dissertation, section 5.5). Also the loss in each phase: time in
// which peers wait for work, tasks that return to a peer where they were, and slow peers at the
// end.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

using agents::TaskExecuted;
using agents::TaskHanded;
using agents::TaskId;
using agents::TaskStarted;

// The work of a peer between the start of its first task and the end of its last.
struct Span {
  bool began = false;
  bool ended = false;  // at least one task
  Time first{};        // start
  Time last{};         // end
  Duration idle{0};    // between those, without any task
  std::set<TaskId> running{};
};

std::vector<Span> spans_of(const Outcome& outcome) {
  std::vector<Span> spans(outcome.peers.size());
  outcome.facts.in_order<TaskStarted, TaskExecuted>([&](const auto& noted) {
    Span& span = spans.at(noted.peer.value);
    if constexpr (std::is_same_v<std::decay_t<decltype(noted.fact)>, TaskStarted>) {
      if (!std::exchange(span.began, true)) span.first = noted.at;
      if (span.ended && span.running.empty()) span.idle += noted.at - span.last;
      span.running.insert(noted.fact.task);
    } else {
      span.running.erase(noted.fact.task);
      span.ended = true;
      span.last = noted.at;
    }
  });
  return spans;
}

template <class F>
double sum(const std::vector<Span>& spans, F f) {
  double total = 0;
  for (const Span& span : spans) total += f(span);
  return total;
}

// Whether every peer executed a task; else the work never spread to all peers.
bool spread_to_all(const std::vector<Span>& spans) {
  return std::ranges::all_of(spans, [](const Span& span) { return span.ended; });
}

double phase_one(const Outcome& outcome) {
  const std::vector<Span> spans = spans_of(outcome);
  if (spans.empty() || !spread_to_all(spans)) return not_applicable;
  const auto latest = std::ranges::max_element(
      spans, [](const Span& a, const Span& b) { return a.first < b.first; });
  return core::seconds(latest->first - makespan_of(outcome).begin);
}

double phase_three(const Outcome& outcome) {
  const std::vector<Span> spans = spans_of(outcome);
  if (spans.empty() || !spread_to_all(spans)) return not_applicable;
  const auto earliest =
      std::ranges::min_element(spans, [](const Span& a, const Span& b) { return a.last < b.last; });
  return core::seconds(makespan_of(outcome).end - earliest->last);
}

double phase_two(const Outcome& outcome) {
  const Makespan whole = makespan_of(outcome);
  return core::seconds(whole.end - whole.begin) - phase_one(outcome) - phase_three(outcome);
}

double idle_gaps(const Outcome& outcome) {
  const std::vector<Span> spans = spans_of(outcome);
  const double worked = sum(spans, [](const Span& span) { return span.ended ? 1 : 0; });
  return worked == 0
             ? not_applicable
             : sum(spans, [](const Span& span) { return core::seconds(span.idle); }) / worked;
}

// The completed tasks in order of completion.
std::vector<const TaskOutcome*> by_completion(const Outcome& outcome) {
  std::vector<const TaskOutcome*> tasks;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed) tasks.push_back(&task);
  std::ranges::stable_sort(
      tasks, [](const auto* a, const auto* b) { return a->completed_at < b->completed_at; });
  return tasks;
}

std::size_t part_of(const Outcome& outcome, int percent) {
  const std::size_t tasks = outcome.tasks.size();
  return (tasks * static_cast<std::size_t>(percent) + 99) / 100;
}

double time_to(const Outcome& outcome, int percent) {
  const auto tasks = by_completion(outcome);
  const std::size_t wanted = part_of(outcome, percent);
  if (wanted == 0 || tasks.size() < wanted) return not_applicable;
  return core::seconds(tasks[wanted - 1]->completed_at - makespan_of(outcome).begin);
}

double tail(const Outcome& outcome) {
  const Makespan whole = makespan_of(outcome);
  return core::seconds(whole.end - whole.begin) - time_to(outcome, 90);
}

// The speed that a quarter of the peers do not exceed; nothing where all speeds are equal.
std::optional<double> slow_speed(const Outcome& outcome) {
  std::vector<double> speeds;
  for (const PeerOutcome& peer : outcome.peers) speeds.push_back(peer.speed);
  std::ranges::sort(speeds);
  if (speeds.empty() || speeds.front() == speeds.back()) return {};
  return speeds[(speeds.size() - 1) / 4];
}

double straggling(const Outcome& outcome) {
  const auto slow = slow_speed(outcome);
  const auto tasks = by_completion(outcome);
  const std::size_t before = part_of(outcome, 90);
  if (!slow || tasks.size() <= before) return not_applicable;
  const auto by_a_slow_one = [&](const auto* task) {
    return task->executor != core::no_peer && outcome.peers[task->executor.value].speed <= *slow;
  };
  const auto theirs = std::count_if(tasks.begin() + static_cast<std::ptrdiff_t>(before),
                                    tasks.end(), by_a_slow_one);
  return static_cast<double>(theirs) / static_cast<double>(tasks.size() - before);
}

// How long the executions of each peer took, in seconds, in the order in which they ended.
std::vector<std::vector<double>> executions_of(const Outcome& outcome) {
  std::vector<std::vector<double>> took(outcome.peers.size());
  std::map<std::pair<std::uint32_t, TaskId>, Time> since;
  outcome.facts.in_order<TaskStarted, TaskExecuted>([&](const auto& noted) {
    const std::pair key(noted.peer.value, noted.fact.task);
    if constexpr (std::is_same_v<std::decay_t<decltype(noted.fact)>, TaskStarted>) {
      since[key] = noted.at;
    } else if (const auto found = since.find(key); found != since.end()) {
      took.at(noted.peer.value).push_back(core::seconds(noted.at - found->second));
      since.erase(found);
    }
  });
  return took;
}

// The longer of the last two executions of a peer, over the mean of those before.
std::optional<double> stretch_of(const std::vector<double>& took) {
  constexpr std::ptrdiff_t last = 2;
  if (took.size() <= last) return {};
  const auto rest = took.end() - last;
  const double before =
      std::accumulate(took.begin(), rest, 0.0) / static_cast<double>(rest - took.begin());
  if (before <= 0) return {};
  return *std::max_element(rest, took.end()) / before;
}

double last_stretch(const Outcome& outcome) {
  const auto slow = slow_speed(outcome);
  if (!slow) return not_applicable;
  double most = not_applicable;
  const auto executions = executions_of(outcome);
  for (std::size_t i = 0; i < executions.size(); ++i)
    if (const auto stretch = stretch_of(executions[i]);
        stretch && outcome.peers[i].speed <= *slow && !(*stretch <= most))
      most = *stretch;
  return most;
}

double moves_undone(const Outcome& outcome) {
  std::map<TaskId, std::set<core::PeerId>> had;
  double undone = 0;
  for (const auto& noted : outcome.facts.of<TaskHanded>()) {
    std::set<core::PeerId>& peers = had[noted.fact.task];
    peers.insert(noted.peer);
    undone += peers.contains(noted.fact.receiver) ? 1 : 0;
  }
  return had.empty() ? not_applicable : undone / static_cast<double>(outcome.tasks.size());
}

Metric time_metric(int percent) {
  const std::string number = std::to_string(percent);
  return {"time_to_" + number,
          "until " + number + " % are done",
          "s",
          "Time from the first submission until " + number + " of 100 tasks are completed.",
          false,
          Better::less,
          [percent](const Outcome& o) { return time_to(o, percent); }};
}

std::vector<Metric> phases() {
  return {
      {"phase_one", "phase one", "s",
       "Time from the first submission until the last peer begins its first task. For runs in "
       "which every peer executes some.",
       false, Better::less, phase_one},
      {"phase_two", "phase two", "s",
       "Time from the end of phase_one until the first peer has ended its last task: all peers "
       "have work. Negative if a peer ends its last task before all have begun.",
       false, Better::neither, phase_two},
      {"phase_three", "phase three", "s",
       "Time from when the first peer has ended its last task until the last completion.", false,
       Better::less, phase_three},
      {"tail", "tail", "s", "Time from when 90 of 100 tasks are completed until the last is.",
       false, Better::less, tail},
      {"straggling", "straggling", "",
       "Of the last tenth of the completed tasks, the share that the slowest quarter of the peers "
       "executed.",
       false, Better::less, straggling},
      {"last_stretch", "stretch of the last", "",
       "The longer of the last two executions of a peer over the mean of its earlier ones; the "
       "maximum over the slowest quarter of the peers. If peers share processors, a large value "
       "shows that others use them at the end.",
       false, Better::less, last_stretch},
      {"idle_gaps", "idle gaps", "s",
       "Time in which a peer has no task between its first start and its last end; the mean over "
       "peers that executed any.",
       false, Better::less, idle_gaps},
      {"moves_undone", "moves undone", "",
       "Times a task came to a peer that had passed it on before, over the number of tasks. For "
       "runs with engine.log_hops.",
       false, Better::less, moves_undone},
  };
}

}  // namespace

std::vector<Metric> phase_metrics() {
  std::vector<Metric> list = phases();
  for (Metric& limit : fluid_metrics()) list.push_back(std::move(limit));
  for (const int percent : {25, 50, 75, 90}) list.push_back(time_metric(percent));
  return list;
}

}  // namespace rhizome::scenarios
