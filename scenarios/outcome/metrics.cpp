#include "scenarios/outcome/metrics.hpp"

#include "core/peer/names.hpp"
#include "scenarios/text/enumerators.hpp"
#include "scenarios/text/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace rhizome::scenarios {

namespace {

using core::Burden;
using core::MessageClass;

// A unit in which burdens are counted.
struct Count {
  std::string word;
  std::uint64_t Burden::*field;
};

Burden sent_of(const Outcome& outcome, MessageClass message_class) {
  Burden total;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (row.message_class == message_class) total += row.sent;
  return total;
}

// Burden of a peer = sent + received; the n-th largest of all peers, n from 1.
double top_burden(const Outcome& outcome, MessageClass message_class, std::uint64_t Burden::*field,
                  std::size_t n) {
  std::vector<std::uint64_t> burdens = burdens_of(outcome, message_class, field);
  if (burdens.size() < n) return not_applicable;
  const auto rank = burdens.begin() + static_cast<std::ptrdiff_t>(n - 1);
  std::nth_element(burdens.begin(), rank, burdens.end(), std::greater<>());
  return static_cast<double>(*rank);
}

// The counted messages, in plain words. A task is in a message again each time that it moves.
std::string counted(MessageClass message_class, const Count& count) {
  const std::string what = message_class == MessageClass::job      ? "tasks"
                           : message_class == MessageClass::result ? "results"
                                                                   : "";
  const std::string carriers =
      what.empty() ? "essages that carry neither tasks nor results" : "essages that carry " + what;
  if (count.field == &Burden::messages) return "M" + carriers;
  if (count.field == &Burden::bytes) return "Bytes of m" + carriers;
  return (what == "tasks" ? "Tasks in m" : "Results in m") + carriers;
}

// Messages of all classes together.
double messages_sent(const Outcome& outcome) {
  double sum = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens) sum += static_cast<double>(row.sent.messages);
  return sum;
}

double messages_per_task(const Outcome& outcome) {
  const auto tasks = static_cast<double>(outcome.tasks.size());
  return tasks > 0 ? messages_sent(outcome) / tasks : not_applicable;
}

// Sent and received by the most loaded peer.
double busiest_peer(const Outcome& outcome) {
  double most = not_applicable;
  for (const PeerOutcome& peer : outcome.peers) {
    double burden = 0;
    for (const core::BurdenRow& row : peer.burdens)
      burden += static_cast<double>(row.sent.messages + row.received.messages);
    if (!(most >= burden)) most = burden;
  }
  return most;
}

// The total, and the three most loaded peers, which the source of the first comparison reports
// (Peterson, dissertation, section 5.1).
void add_burdens(std::vector<Metric>& list, MessageClass message_class, const Count& count,
                 bool headline) {
  const std::string kind(name_of(message_class));
  const auto field = count.field;
  list.push_back({.name = kind + "_" + count.word,
                  .title = kind + " " + count.word,
                  .unit = count.word,
                  .meaning = counted(message_class, count) + ", counted when they are sent.",
                  .headline = headline,
                  .better = Better::less,
                  .of = [=](const Outcome& o) {
                    return static_cast<double>(sent_of(o, message_class).*field);
                  }});
  struct Rank {
    const char* title;
    const char* peer;
  };
  constexpr Rank ranks[] = {{"  busiest peer", "most loaded peer"},
                            {"  second busiest", "second most loaded peer"},
                            {"  third busiest", "third most loaded peer"}};
  for (std::size_t n = 1; n <= 3; ++n) {
    const Rank& rank = ranks[n - 1];
    list.push_back({.name = kind + "_" + count.word + "_top" + std::to_string(n),
                    .title = rank.title,
                    .unit = count.word,
                    .meaning = counted(message_class, count) + ", sent and received by the " +
                               rank.peer + " by this count.",
                    .headline = false,
                    .better = Better::less,
                    .of = [=](const Outcome& o) { return top_burden(o, message_class, field, n); },
                    .alone = kind + " " + count.word + ", " + std::string(rank.title).substr(2)});
  }
}

template <class F>
double sum_tasks(const Outcome& outcome, F f) {
  double sum = 0;
  for (const TaskOutcome& task : outcome.tasks) sum += static_cast<double>(f(task));
  return sum;
}

double completed(const Outcome& outcome) {
  return sum_tasks(outcome, [](const TaskOutcome& task) { return task.completed; });
}

double makespan(const Outcome& outcome) {
  if (completed(outcome) == 0) return not_applicable;
  const auto [begin, end] = makespan_of(outcome);
  return core::seconds(end - begin);
}

std::vector<double> responses(const Outcome& outcome) {
  std::vector<double> list;
  for (const JobOutcome& job : outcome.jobs)
    if (job.completed) list.push_back(core::seconds(job.completed_at - job.arrived));
  return list;
}

// The mean of a job's response over a time of the job at speed 1.
double mean_response_over(const Outcome& outcome, Duration JobOutcome::*time) {
  std::vector<double> list;
  for (const JobOutcome& job : outcome.jobs)
    if (job.completed && (job.*time).count() > 0)
      list.push_back(core::seconds(job.completed_at - job.arrived) / core::seconds(job.*time));
  return mean(list);
}

// Over the longest task: 1 is a job that ran at once, all in parallel.
double mean_slowdown(const Outcome& outcome) {
  return mean_response_over(outcome, &JobOutcome::longest);
}

// Over all work of the job: the slowdown of the dispatcher literature.
double mean_stretch(const Outcome& outcome) {
  return mean_response_over(outcome, &JobOutcome::work);
}

// Every execution that ended counts, needed or not; slots of dead peers count as idle. At most 1.
double utilisation(const Outcome& outcome) {
  double busy = 0;
  double slots = 0;
  for (const PeerOutcome& peer : outcome.peers) {
    busy += core::seconds(peer.busy);
    slots += peer.slots;
  }
  const double span = makespan(outcome);
  return span > 0 ? busy / (slots * span) : not_applicable;
}

double open_tasks(const Outcome& outcome) {
  const auto undone =
      std::ranges::count_if(outcome.tasks, [](const TaskOutcome& task) { return !task.completed; });
  return static_cast<double>(static_cast<std::uint64_t>(undone) + outcome.unseen);
}

double reexecutions(const Outcome& outcome) {
  return sum_tasks(outcome, [](const TaskOutcome& task) {
    return task.executions > 1 ? task.executions - 1 : 0;
  });
}

// Tasks that only take their time have no result.
double wrong_results(const Outcome& outcome) {
  const auto& computed = outcome.facts.of<agents::TaskComputed>();
  if (computed.empty()) return not_applicable;
  return static_cast<double>(
      std::ranges::count_if(computed, [](const auto& noted) { return !noted.fact.right; }));
}

double executions_per_task(const Outcome& outcome) {
  const double all = sum_tasks(outcome, [](const TaskOutcome& task) { return task.executions; });
  return outcome.tasks.empty() ? not_applicable : all / static_cast<double>(outcome.tasks.size());
}

double moves_per_task(const Outcome& outcome) {
  const double moves = static_cast<double>(sent_of(outcome, MessageClass::job).units);
  return outcome.tasks.empty() ? not_applicable : moves / static_cast<double>(outcome.tasks.size());
}

// A task that the source executed itself needs no message. With several sources, one would also
// count results on their way to another.
double result_arrivals(const Outcome& outcome) {
  std::set<core::PeerId> sources;
  for (const auto& noted : outcome.facts.of<agents::TaskSubmitted>()) sources.insert(noted.peer);
  if (sources.size() != 1) return not_applicable;
  const core::PeerId source = *sources.begin();
  double arrived = 0;
  for (const core::BurdenRow& row : outcome.peers[source.value].burdens)
    if (row.message_class == MessageClass::result)
      arrived += static_cast<double>(row.received.units);
  const double elsewhere = sum_tasks(outcome, [source](const TaskOutcome& task) {
    return task.completed && task.executor != source;
  });
  return elsewhere > 0 ? arrived / elsewhere : not_applicable;
}

double throughput(const Outcome& outcome) {
  const double span = makespan(outcome);
  return span > 0 ? completed(outcome) / span : not_applicable;
}

double dropped(const Outcome& outcome) {
  double sum = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const std::uint64_t count : peer.drops) sum += static_cast<double>(count);
  return sum;
}

double events_per_second(const Outcome& outcome) {
  const double span = core::seconds(outcome.ended);
  return span > 0 ? static_cast<double>(outcome.events) / span : not_applicable;
}

// Metrics of time, then of how work was done.
std::vector<Metric> time_metrics() {
  return {
      {"makespan", "makespan", "s", "Time from the first submission to the last completion.", true,
       Better::less, makespan},
      {"mean_response", "mean response", "s",
       "Time from a job's arrival to its last result; the mean over completed jobs.", true,
       Better::less, [](const Outcome& o) { return mean(responses(o)); }},
      {"p99_response", "p99 response", "s",
       "Time from a job's arrival to its last result that 99 of 100 completed jobs do not exceed: "
       "of n sorted values the one at 0.99 (n + 1), interpolated, as with all percentiles.",
       true, Better::less, [](const Outcome& o) { return percentile(responses(o), 0.99); }},
      {"mean_queueing", "mean wait", "s",
       "Time from a task's submission to its first start; the mean over tasks that started.", true,
       Better::less, [](const Outcome& o) { return mean(waits_of(o)); }},
      {"mean_slowdown", "mean slowdown", "",
       "Response over the time of the job's longest task at speed 1; the mean over completed jobs. "
       "1 is a job that ran at once, all in parallel.",
       true, Better::less, mean_slowdown},
      {"mean_stretch", "mean stretch", "",
       "Response over the time of all the job's tasks together at speed 1; the mean over completed "
       "jobs.",
       false, Better::less, mean_stretch},
      {"throughput", "throughput", "tasks/s", "Tasks completed per second of the makespan.", false,
       Better::more, throughput},
      {"utilisation", "utilisation", "",
       "Share of the time of all slots within the makespan that went into executions that ended; "
       "slots of dead peers count as idle.",
       true, Better::more, utilisation},
  };
}

std::vector<Metric> work_metrics() {
  return {
      {"completed", "tasks completed", "tasks", "Tasks whose result reached their source.", false,
       Better::more,
       [](const Outcome& o) { return results_known(o) ? completed(o) : not_applicable; }},
      {"open_tasks", "open tasks", "tasks",
       "Tasks that were not done when the run ended: of an open run, or of a failed one.", false,
       Better::less, open_tasks},
      {"executions", "executions per task", "", "Executions that ended, over the number of tasks.",
       false, Better::less, executions_per_task},
      {"reexecutions", "re-executions", "tasks",
       "Executions that ended beyond the first of a task.", true, Better::less, reexecutions},
      {"wrong_results", "wrong results", "tasks",
       "Executions of real work that had a wrong result.", false, Better::less, wrong_results},
      {"reissues", "re-issues", "tasks", "Times a task was handed out again.", false, Better::less,
       [](const Outcome& o) { return sum_tasks(o, [](const auto& t) { return t.reissues; }); }},
      {"duplicates", "duplicate results", "tasks", "Results beyond the first of a task.", false,
       Better::less,
       [](const Outcome& o) { return sum_tasks(o, [](const auto& t) { return t.duplicates; }); }},
      {"moves_per_task", "moves of a task", "",
       "Portions of work sent, over the number of tasks: how often a task moved.", false,
       Better::less, moves_per_task},
      {"result_arrivals", "arrivals of a result", "",
       "Result portions that the source received, over the tasks that other peers executed: 1 when "
       "each came once. For runs with one source.",
       false, Better::less, result_arrivals},
      {"dropped", "packets dropped", "packets", "Packets that ended without being handled.", false,
       Better::less, dropped},
      {"events", "events per second", "1/s",
       "Packets, timers and ends of work handled per emulated second.", false, Better::neither,
       events_per_second},
  };
}

std::vector<Metric> make_metrics() {
  const Count messages{"messages", &Burden::messages};
  const Count bytes{"bytes", &Burden::bytes};
  const Count units{"portions", &Burden::units};
  std::vector<Metric> list = time_metrics();
  for (const auto& more : {job_metrics(), server_metrics(), graph_metrics(), work_metrics(),
                           phase_metrics(), placement_metrics(), structure_metrics(),
                           overlay_metrics(), network_metrics(), file_metrics(), locator_metrics(),
                           central_metrics(), provision_metrics(), client_metrics()})
    list.insert(list.end(), more.begin(), more.end());
  list.push_back({"messages_per_task", "messages per task", "messages",
                  "Messages of all classes that were sent, over the number of tasks.", true,
                  Better::less, messages_per_task});
  list.push_back({"messages_top1", "messages, busiest peer", "messages",
                  "Messages of all classes, sent and received by the most loaded peer.", true,
                  Better::less, busiest_peer});
  // Information moves no portions, so it has no such count.
  for (const auto message_class :
       {MessageClass::job, MessageClass::result, MessageClass::information}) {
    add_burdens(list, message_class, messages, true);
    add_burdens(list, message_class, bytes, false);
    if (message_class != MessageClass::information) add_burdens(list, message_class, units, false);
  }
  return list;
}

}  // namespace

std::string_view name_of(Better better) {
  return one_of<Better, std::string_view>(better, {"less", "more", "neither"});
}

std::vector<std::uint64_t> burdens_of(const Outcome& outcome, MessageClass message_class,
                                      std::uint64_t Burden::*unit) {
  std::vector<std::uint64_t> burdens;
  for (const PeerOutcome& peer : outcome.peers) {
    std::uint64_t burden = 0;
    for (const core::BurdenRow& row : peer.burdens)
      if (row.message_class == message_class) burden += row.sent.*unit + row.received.*unit;
    burdens.push_back(burden);
  }
  return burdens;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? not_applicable : sum / static_cast<double>(values.size());
}

// Up to the first start anywhere, so a task that was lost with its executor has waited only once.
std::vector<double> waits_of(const Outcome& outcome) {
  std::vector<double> list;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.starts > 0) list.push_back(core::seconds(task.started_at - task.submitted_at));
  return list;
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return not_applicable;
  std::ranges::sort(values);
  const double rank = share * static_cast<double>(values.size() + 1);
  const double low = std::clamp(std::floor(rank), 1.0, static_cast<double>(values.size()));
  const auto i = static_cast<std::size_t>(low) - 1;
  if (i + 1 >= values.size()) return values.back();
  return values[i] + std::max(0.0, rank - low) * (values[i + 1] - values[i]);
}

std::span<const Metric> metrics() {
  static const std::vector<Metric> list = make_metrics();
  return list;
}

const Metric* find_metric(const std::string& name) {
  for (const Metric& metric : metrics())
    if (metric.name == name) return &metric;
  return nullptr;
}

std::vector<std::string> metric_names() { return core::names_of(metrics()); }

std::string no_metric(const std::string& name) {
  std::string words = name;
  std::ranges::replace(words, '_', ' ');
  const auto shown = std::ranges::find(metrics(), words, &Metric::title);
  return "there is no metric \"" + name + "\"" +
         (shown != metrics().end() ? "; \"" + words + "\" in tables is \"" + shown->name + "\""
                                   : suggestion(name, metric_names(), "rhizome list metrics"));
}

}  // namespace rhizome::scenarios
