#include "scenarios/live/seen/suspicions.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "agents/facts.hpp"
#include "scenarios/live/fact_task.hpp"

namespace rhizome::scenarios::live {

namespace {

std::uint64_t sum_of(const auto& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// Whether no task should have been executed more than once until now.
bool is_once(const Frame& frame, const KnownPlan& plan) {
  return !plan.foreseen.at_least_once && sum_of(frame.totals.dropped) == 0 &&
         frame.totals.duplicated == 0 && frame.totals.tasks.reissued == 0 &&
         plan.first_trouble > frame.now;
}

}  // namespace

KnownPlan::KnownPlan(Plan said) : Plan(std::move(said)) {
  for (const core::Fault& fault : foreseen.faults)
    first_trouble = std::min(first_trouble, fault.at);
  for (const core::Parting& parting : foreseen.partings)
    first_trouble = std::min(first_trouble, parting.from);
}

void Suspicions::see(const State& state, const FactSlice& fresh, const Welcome& welcome,
                     const KnownPlan* plan) {
  const Frame& frame = state.frame();
  if (frame.run != run_ || frame.now < now_) *this = {};
  run_ = frame.run;
  now_ = frame.now;
  count_packets(frame);
  const bool once = plan != nullptr && is_once(frame, *plan);
  for (const LiveFact& fact : fresh.facts)
    if (fact.kind < welcome.fact_kinds.size())
      count_executions(fact, welcome.fact_kinds[fact.kind], once);
}

// Peers are read one after the other while they run. So the packets received by the previous frame
// are compared with the packets sent by this frame.
void Suspicions::count_packets(const Frame& frame) {
  const std::uint64_t sent = sum_of(frame.totals.sent) + frame.totals.duplicated;
  if (received_ > sent && !packets_) {
    packets_ = true;
    add({frame.now, core::no_peer,
         "packets-conserved: " + std::to_string(received_) + " packets were received, and " +
             std::to_string(sent) + " sent"});
  }
  received_ = frame.totals.received;
}

void Suspicions::count_executions(const LiveFact& fact, const std::string& kind, bool once) {
  if (kind != agents::TaskExecuted::info.name) return;
  const auto task = task_of(kind, fact.payload);
  if (!task || executed_.size() >= most_tasks) return;
  const auto [first, is_first] = executed_.emplace(agents::subject_of(*task), fact.peer);
  if (is_first || !once) return;
  add({fact.at, fact.peer,
       "completes-once: task " + std::to_string(task->job) + "." + std::to_string(task->portion) +
           " was executed by #" + std::to_string(first->second.value) + " and by #" +
           std::to_string(fact.peer.value) + " without a fault"});
}

void Suspicions::add(Suspicion suspicion) {
  if (all_.size() < most) all_.push_back(std::move(suspicion));
}

}  // namespace rhizome::scenarios::live
