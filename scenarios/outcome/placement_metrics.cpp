// The metrics of placement: how long tasks wait, what finding a place costs, and on how fresh
// knowledge it rests.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "agents/sparrow/messages.hpp"
#include "scenarios/outcome/kind_index.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/outcome/service.hpp"

namespace rhizome::scenarios {

namespace {

// The messages that place a task: probes, their answers, and the task itself.
double scheduling_messages(const Outcome& outcome) {
  double sum = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (row.cause == core::Cause::probe || row.cause == core::Cause::work)
        sum += static_cast<double>(row.sent.messages);
  return outcome.tasks.empty() ? not_applicable : sum / static_cast<double>(outcome.tasks.size());
}

// Tasks that first started at the peer where they were first submitted.
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

// The mean over all tasks; facts exist only for tasks that were overtaken.
double outdated_choices(const Outcome& outcome) {
  double others = 0;
  for (const auto& noted : outcome.facts.of<agents::dispatching::ChoiceOutdated>())
    others += noted.fact.others;
  const bool dispatched = outcome.identity.scheduler == "dispatcher" && !outcome.tasks.empty();
  return dispatched ? others / static_cast<double>(outcome.tasks.size()) : not_applicable;
}

double lost_service(const Outcome& outcome) {
  const std::vector<BusyPeriod> periods = busy_periods(outcome);
  double lost = 0;
  for (const BusyPeriod& period : periods) lost += core::seconds(period.lost);
  return periods.empty() ? not_applicable : lost;
}

// How many messages of that name a service sent.
double count_sent(const Outcome& outcome, std::string_view service, std::string_view message) {
  const KindIndex kinds(outcome.kinds);
  double sum = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens) {
      const MessageKind* kind = kinds.find(row.service, row.type);
      if (kind != nullptr && kind->service == service && kind->name == message)
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
      count_sent(outcome, agents::sparrow::service_name, agents::sparrow::Deposited::info.name);
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

// The percentile `percent` over tasks.
Metric queue_percentile(int percent) {
  const std::string number = std::to_string(percent);
  return {"p" + number + "_queueing",
          "p" + number + " wait",
          "s",
          "Time from a task's submission to its first start that " + number +
              " of 100 tasks do not exceed.",
          false,
          Better::less,
          [percent](const Outcome& o) { return percentile(waits_of(o), percent / 100.0); }};
}

}  // namespace

std::vector<Metric> placement_metrics() {
  return {
      queue_percentile(50),
      queue_percentile(95),
      queue_percentile(99),
      {"scheduling_messages", "scheduling messages per task", "messages",
       "Messages sent to find a place for a task and to move it there, over the number of tasks.",
       false, Better::less, scheduling_messages},
      {"self_assigned", "self-assigned", "", "Share of tasks that start where they were submitted.",
       false, Better::neither, self_assigned},
      {"probe_hops", "hops per probe", "",
       "Times a probe was passed on until it was deposited; the mean over deposited probes.", false,
       Better::less, hops_per_probe},
      {"advert_age", "age of knowledge", "s",
       "Age of the information about a peer when it was chosen as the next hop of a probe; the "
       "mean over choices.",
       false, Better::less, age_of_knowledge},
      {"outdated_choices", "outdated choices per task", "tasks",
       "Tasks that came to a server between its last report and the task that a dispatcher sent "
       "because of that report; the mean over all tasks. Delays and further dispatchers increase "
       "it.",
       false, Better::less, outdated_choices},
      {"lost_service", "service lost", "s",
       "Service time that was lost because a server with one processor abandoned a task or "
       "crashed; for schedulers whose peers are servers.",
       false, Better::less, lost_service},
      {"imbalance", "load imbalance", "",
       "Standard deviation over mean of the busy time per slot, over peers that live at the end.",
       false, Better::less, imbalance},
  };
}

}  // namespace rhizome::scenarios
