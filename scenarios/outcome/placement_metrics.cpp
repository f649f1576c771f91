// The metrics of placement: how long tasks wait, what finding a place costs, and on how fresh
// knowledge it rests.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "agents/sparrow/sparrow.hpp"
#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

// Up to the first start anywhere, so a task that was lost with its executor has waited only once.
std::vector<double> queueing(const Outcome& outcome) {
  std::vector<double> list;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.starts > 0) list.push_back(core::seconds(task.started_at - task.submitted_at));
  return list;
}

// What it takes to find a place and to move the task there: probes, their answers, the task.
double scheduling_messages(const Outcome& outcome) {
  double sum = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (row.cause == core::Cause::probe || row.cause == core::Cause::work)
        sum += static_cast<double>(row.sent.messages);
  return outcome.tasks.empty() ? not_applicable : sum / static_cast<double>(outcome.tasks.size());
}

// Those whose first start is where they were submitted first.
double self_assigned(const Outcome& outcome) {
  std::unordered_map<std::uint64_t, core::PeerId> waits_at;
  waits_at.reserve(outcome.tasks.size());
  for (const auto& noted : outcome.facts.of<agents::TaskSubmitted>())
    waits_at.try_emplace(agents::subject_of(noted.fact.task), noted.peer);
  std::size_t started = 0;
  std::size_t same = 0;
  for (const auto& noted : outcome.facts.of<agents::TaskStarted>()) {
    const auto found = waits_at.find(agents::subject_of(noted.fact.task));
    if (found == waits_at.end()) continue;
    ++started;
    same += found->second == noted.peer ? 1 : 0;
    waits_at.erase(found);
  }
  return started == 0 ? not_applicable : static_cast<double>(same) / static_cast<double>(started);
}

double age_of_knowledge(const Outcome& outcome) {
  const auto& used = outcome.facts.of<agents::sparrow::AdvertUsed>();
  double sum = 0;
  for (const auto& noted : used) sum += core::seconds(noted.fact.age);
  return used.empty() ? not_applicable : sum / static_cast<double>(used.size());
}

// How many messages of that name a service sent.
double count_sent(const Outcome& outcome, std::string_view service, std::string_view message) {
  double sum = 0;
  for (const MessageKind& kind : outcome.kinds) {
    if (kind.service != service || kind.name != message) continue;
    for (const PeerOutcome& peer : outcome.peers)
      for (const core::BurdenRow& row : peer.burdens)
        if (row.service == kind.service_index && row.type == kind.type)
          sum += static_cast<double>(row.sent.messages);
  }
  return sum;
}

// Only probes that were passed on say how far, for most never are.
double hops_per_probe(const Outcome& outcome) {
  double hops = 0;
  for (const auto& noted : outcome.facts.of<agents::sparrow::ProbeSettled>())
    hops += static_cast<double>(noted.fact.hops);
  const double deposited =
      count_sent(outcome, agents::Sparrow::name, agents::sparrow::Deposited::info.name);
  return deposited > 0 ? hops / deposited : not_applicable;
}

// The coefficient of variation of busy slot time over peers that live.
double imbalance(const Outcome& outcome) {
  double sum = 0;
  double square = 0;
  double count = 0;
  for (const PeerOutcome& peer : outcome.peers) {
    if (!peer.alive) continue;
    const double busy = core::seconds(peer.busy) / peer.slots;
    sum += busy;
    square += busy * busy;
    ++count;
  }
  if (count == 0 || sum == 0) return not_applicable;
  const double mean = sum / count;
  return std::sqrt(std::max(0.0, square / count - mean * mean)) / mean;
}

Metric queue_percentile(const std::string& name, const std::string& title, double share) {
  return {name,
          title,
          "s",
          "The time from submission to first start that this share of tasks do not exceed.",
          false,
          Better::less,
          [share](const Outcome& o) { return percentile(queueing(o), share); }};
}

}  // namespace

std::vector<Metric> placement_metrics() {
  return {
      {"mean_queueing", "mean queueing", "s", "From a task's submission to its first start.", false,
       Better::less, [](const Outcome& o) { return mean(queueing(o)); }},
      queue_percentile("p50_queueing", "50 % queueing", 0.50),
      queue_percentile("p95_queueing", "95 % queueing", 0.95),
      queue_percentile("p99_queueing", "99 % queueing", 0.99),
      {"scheduling_messages", "scheduling messages per task", "messages",
       "Sent to find a place for a task and to move it there.", false, Better::less,
       scheduling_messages},
      {"self_assigned", "self-assigned", "", "Share of tasks that start where they were submitted.",
       false, Better::neither, self_assigned},
      {"probe_hops", "hops per probe", "", "From its master to where a probe was deposited.", false,
       Better::less, hops_per_probe},
      {"advert_age", "age of knowledge", "s",
       "How old what a next hop was chosen by was, on average.", false, Better::less,
       age_of_knowledge},
      {"imbalance", "load imbalance", "",
       "Coefficient of variation of busy time per slot over living peers.", false, Better::less,
       imbalance},
  };
}

}  // namespace rhizome::scenarios
