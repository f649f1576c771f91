// Lower bounds of the times of a batch: for fluid work, which goes wherever there is room, and can
// be divided at will.
#include "scenarios/outcome/metrics.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace rhizome::scenarios {

namespace {

// Seconds at speed 1 of the shortest tasks that make up so many of 100.
double shortest_work(const Outcome& outcome, int percent) {
  std::vector<double> work;
  for (const TaskOutcome& task : outcome.tasks) work.push_back(core::seconds(task.duration));
  std::ranges::sort(work);
  const std::size_t wanted = (work.size() * static_cast<std::size_t>(percent) + 99) / 100;
  return std::accumulate(work.begin(), work.begin() + static_cast<std::ptrdiff_t>(wanted), 0.0);
}

double speed_of_slots(const Outcome& outcome) {
  double all = 0;
  for (const PeerOutcome& peer : outcome.peers) all += peer.speed * peer.slots;
  return all;
}

double fluid_limit(const Outcome& outcome) {
  return outcome.tasks.empty() ? not_applicable
                               : shortest_work(outcome, 100) / speed_of_slots(outcome);
}

// When a peer began its first task, in seconds, and the speed of all its slots; the first to begin
// comes first.
using Beginnings = std::vector<std::pair<double, double>>;
Beginnings beginnings(const Outcome& outcome) {
  const Time begin = makespan_of(outcome).begin;
  std::map<core::PeerId, Time> first;
  for (const auto& noted : outcome.facts.of<agents::TaskStarted>()) {
    Time& known = first.try_emplace(noted.peer, noted.at).first->second;
    known = std::min(known, noted.at);
  }
  Beginnings list;
  for (const auto& [id, at] : first) {
    const PeerOutcome& peer = outcome.peers.at(id.value);
    list.emplace_back(core::seconds(at - begin), peer.speed * peer.slots);
  }
  std::ranges::sort(list);
  return list;
}

// When those that have begun by then could have done so much, if they were never idle again.
double fluid_limit_spread(const Outcome& outcome, int percent) {
  const Beginnings all = beginnings(outcome);
  if (all.empty() || all.size() < outcome.peers.size()) return not_applicable;
  const double work = shortest_work(outcome, percent);
  double speed = 0;
  double missed = 0;  // by those that began after the first submission
  for (const auto& [at, of_peer] : all) {
    if (speed > 0 && (work + missed) / speed <= at) break;
    speed += of_peer;
    missed += of_peer * at;
  }
  return (work + missed) / speed;
}

Metric limit_metric(int percent) {
  const std::string number = std::to_string(percent);
  return {"fluid_limit_" + number,
          "fluid limit, " + number + " %",
          "s",
          "A lower bound of time_to_" + number + ": the work of the shortest " + number +
              " % of the tasks, if peers were never idle after their first start.",
          false,
          Better::neither,
          [percent](const Outcome& o) { return fluid_limit_spread(o, percent); }};
}

}  // namespace

std::vector<Metric> fluid_metrics() {
  std::vector<Metric> list{
      {"fluid_limit", "fluid limit", "s",
       "Work of all tasks over the speed of all slots: the makespan if work could be divided at "
       "will and moved in no time.",
       false, Better::neither, fluid_limit},
      {"fluid_limit_spread", "fluid limit, spread", "s",
       "fluid_limit with the time until the first start of each peer as lost: the makespan if "
       "peers were never idle after that. A peer that shares processors counts with its speed "
       "while its whole group works, which overstates the loss a little if others of the group "
       "began earlier. For runs in which every peer begins a task.",
       false, Better::neither, [](const Outcome& o) { return fluid_limit_spread(o, 100); }}};
  for (const int percent : {25, 50, 75, 90}) list.push_back(limit_metric(percent));
  return list;
}

}  // namespace rhizome::scenarios
