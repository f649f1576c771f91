// The metrics of tasks that need each other: a lower bound of the makespan, how far above it a run
// ended, and how long graphs took compared with jobs without dependencies.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

using agents::GraphSubmitted;
using agents::TaskId;
using agents::TasksAdded;

// The speed of a slot while no other peer is at work.
double alone(const PeerOutcome& peer) { return peer.speed / peer.share; }

// The most work that all peers together can do in a second. Shared processors count as that many of
// the fastest slots that share processors.
double most_of_all(const Outcome& outcome) {
  double own = 0;      // slots with a processor each
  double crowded = 0;  // slots that share processors, each alone
  double processors = 0;
  double fastest = 0;
  for (const PeerOutcome& peer : outcome.peers) {
    double& sum = peer.share < 1 ? crowded : own;
    sum += alone(peer) * peer.slots;
    if (peer.share >= 1) continue;
    processors += peer.share * peer.slots;
    fastest = std::max(fastest, alone(peer));
  }
  return own + std::min(crowded, processors * fastest);
}

// Lengthens the chains by added tasks: an added task comes after the whole chain of tasks that led
// to it.
void lengthen(std::map<std::uint32_t, Duration>& chains, const Outcome& outcome) {
  const auto from = [&outcome](TaskId id) {
    return std::ranges::lower_bound(outcome.tasks, id, {}, &TaskOutcome::id);
  };
  const auto duration_of = [&](TaskId id) {
    const auto task = from(id);
    return task != outcome.tasks.end() && task->id == id ? task->duration : Duration::zero();
  };
  std::size_t left = outcome.tasks.size();  // each is added once, but in a damaged store
  std::map<TaskId, Duration> before;        // the length of the chain before each added task
  for (const auto& noted : outcome.facts.of<TasksAdded>()) {
    const auto& [by, first, count] = noted.fact;
    const auto known = before.find(by);
    const Duration until =
        duration_of(by) + (known == before.end() ? Duration::zero() : known->second);
    for (auto task = from({by.job, first});
         task != outcome.tasks.end() && task->id.job == by.job && task->id.portion - first < count;
         ++task) {
      if (left-- == 0) return;
      before.emplace(task->id, until);
      chains[by.job] = std::max(chains[by.job], until + task->duration);
    }
  }
}

// The latest time at which the longest chain of a job could end: it begins when the job arrives,
// and all of it runs on the fastest peer. In a job whose tasks do not need each other, the chain is
// its longest task.
double longest_chain(const Outcome& outcome) {
  std::map<std::uint32_t, Duration> chains;
  for (const JobOutcome& job : outcome.jobs) chains[job.id] = job.longest;
  for (const auto& noted : outcome.facts.of<GraphSubmitted>())
    chains[noted.fact.job] = noted.fact.critical_path;
  lengthen(chains, outcome);
  double fastest = 0;
  for (const PeerOutcome& peer : outcome.peers) fastest = std::max(fastest, alone(peer));
  const Time begin = makespan_of(outcome).begin;
  double longest = 0;
  for (const JobOutcome& job : outcome.jobs)
    longest = std::max(
        longest, core::seconds(job.arrived - begin) + core::seconds(chains[job.id]) / fastest);
  return longest;
}

double lower_bound(const Outcome& outcome) {
  double work = 0;
  for (const JobOutcome& job : outcome.jobs) work += core::seconds(job.work);
  return outcome.jobs.empty() ? not_applicable
                              : std::max(longest_chain(outcome), work / most_of_all(outcome));
}

// Jobs whose tasks wait for other tasks of the job.
std::set<std::uint32_t> graphs_of(const Outcome& outcome) {
  std::set<std::uint32_t> jobs;
  for (const auto& noted : outcome.facts.of<GraphSubmitted>()) jobs.insert(noted.fact.job);
  for (const auto& noted : outcome.facts.of<TasksAdded>()) jobs.insert(noted.fact.task.job);
  return jobs;
}

double over_lower_bound(const Outcome& outcome) {
  const double bound = lower_bound(outcome);
  const Makespan whole = makespan_of(outcome);
  const bool applies = bound > 0 && !graphs_of(outcome).empty();
  return applies ? core::seconds(whole.end - whole.begin) / bound : not_applicable;
}

// The mean over completed jobs that are graphs, or over those that are not.
double response(const Outcome& outcome, bool of_graphs) {
  const std::set<std::uint32_t> graphs = graphs_of(outcome);
  if (graphs.empty()) return not_applicable;
  std::vector<double> responses;
  for (const JobOutcome& job : outcome.jobs)
    if (job.completed && graphs.contains(job.id) == of_graphs)
      responses.push_back(core::seconds(job.completed_at - job.arrived));
  return mean(responses);
}

}  // namespace

std::vector<Metric> graph_metrics() {
  return {
      {"lower_bound", "lower bound", "s",
       "A lower bound of the makespan: the larger of the work of all tasks over the speed of all "
       "slots, and the longest chain of dependent tasks on the fastest peer. If peers share "
       "processors, only as many of their fastest slots count as there are processors.",
       false, Better::neither, lower_bound},
      {"over_lower_bound", "over lower bound", "",
       "The makespan over lower_bound; no scheduler can be below 1. For workloads whose tasks "
       "depend on each other, or add tasks.",
       false, Better::less, over_lower_bound},
      {"graph_response", "response of graphs", "s",
       "Time from the arrival of a job to its last result; the mean over completed jobs whose "
       "tasks depend on each other, or add tasks.",
       false, Better::less, [](const Outcome& o) { return response(o, true); }},
      {"independent_response", "response of independent tasks", "s",
       "The same over the other jobs of a workload that has such jobs.", false, Better::less,
       [](const Outcome& o) { return response(o, false); }},
  };
}

}  // namespace rhizome::scenarios
