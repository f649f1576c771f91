#include "scenarios/outcome/make_outcome.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "scenarios/outcome/failure.hpp"
#include "scenarios/outcome/invariants.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios {

namespace {

Duration longest_line_wait(const Outcome& outcome) {
  Duration longest{0};
  for (const PeerOutcome& peer : outcome.peers)
    if (peer.line) longest = std::max({longest, peer.line->up.longest, peer.line->down.longest});
  return longest;
}

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
          .armed = fmt::format("{}", fmt::join(report.armed[i], ", ")),
          .busy = Duration{0},
          .burdens = {rows.begin(), rows.end()},
          .drops = recorder.drop_counts(),
          .sent = recorder.sent_count(),
          .received = recorder.received_count(),
          .duplicated = recorder.duplicated_count(),
          .in_flight = recorder.in_flight_count(),
          .line = recorder.line()};
}

// The speed of a peer that shares processors is its speed while all peers of its group are at work.
void slow_down(Outcome& outcome, const std::vector<core::ProcessorGroup>& groups) {
  for (const core::ProcessorGroup& group : groups) {
    double wanted = 0;
    for (const core::PeerId peer : group.peers) wanted += outcome.peers.at(peer.value).slots;
    for (const core::PeerId peer : group.peers) {
      PeerOutcome& sharer = outcome.peers.at(peer.value);
      sharer.share = std::min(1.0, group.cores / wanted);
      sharer.speed *= sharer.share;
    }
  }
}

Facts facts_of(const core::EngineReport& report) {
  std::unordered_map<const core::FactInfo*, std::size_t> counts;
  for (const core::Recorder& recorder : report.recorders)
    for (const auto& [info, number] : recorder.facts().kinds()) counts[info] += number;
  Facts facts;
  facts.reserve(counts);
  for (std::uint32_t peer = 0; peer < report.recorders.size(); ++peer)
    facts.add(core::PeerId{peer}, report.recorders[peer].facts());
  facts.sort();
  return facts;
}

// Counts tasks that are seen, not those of announced jobs: a peer may get a task before the keeper
// of its job learns of the job, and the run may end between the two.
std::uint64_t unseen_tasks(const Outcome& outcome, const agents::Profile& profile) {
  const auto seen = std::ranges::count_if(
      outcome.tasks, [&profile](const TaskOutcome& task) { return profile.has(task.id); });
  return profile.tasks - std::min(profile.tasks, static_cast<std::uint64_t>(seen));
}

// All samples are merged into the longest sampling period of any peer.
void add_samples(Outcome& outcome, const core::EngineReport& report, Duration asked) {
  if (asked <= Duration::zero()) return;
  Duration period = core::Samples::fitting(asked, outcome.ended);
  for (const core::Recorder& recorder : report.recorders)
    period = std::max(period, recorder.samples().period());
  const auto sample = [&](Duration since_start) -> SampleOutcome& {
    const auto i = static_cast<std::size_t>(since_start / period);
    while (outcome.samples.size() <= i)
      outcome.samples.push_back(
          {.from = Time{} + period * static_cast<std::int64_t>(outcome.samples.size())});
    return outcome.samples[i];
  };
  for (const core::Recorder& recorder : report.recorders) {
    Duration from{0};
    for (const core::Sample& taken : recorder.samples().all()) {
      for (std::size_t c = 0; c < core::message_classes; ++c)
        sample(from).messages[c] += taken.messages[c];
      from += recorder.samples().period();
    }
  }
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed) ++sample(task.completed_at.time_since_epoch()).completed;
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
  std::ranges::stable_sort(outcome.messages, [](const MessageOutcome& a, const MessageOutcome& b) {
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
  outcome.open_for = inputs.open_for;
  outcome.at_least_once = inputs.at_least_once;
  outcome.most_hops = inputs.most_hops;
  outcome.in_time = inputs.in_time;
  outcome.patience = inputs.patience;
  outcome.needs = inputs.needs;
  outcome.ended = report.ended;
  outcome.events = report.events;
  outcome.working = report.working;
  outcome.wall = report.wall;
  outcome.kinds = inputs.kinds;
  for (std::uint32_t i = 0; i < report.recorders.size(); ++i)
    outcome.peers.push_back(peer_outcome(report, *inputs.world, i));
  slow_down(outcome, inputs.groups);
  outcome.facts = facts_of(report);
  // A packet may wait at a full line of the sender and of the receiver, which delays it further.
  outcome.longest_delay = inputs.world->longest_delay + 2 * longest_line_wait(outcome);
  outcome.steered = inputs.steered;
  outcome.faults = inputs.faults;
  outcome.lost = report.between.lost;
  outcome.passages = report.between.passages;
  for (const core::LostPeers& lost : outcome.lost)
    for (const core::PeerId peer : lost.peers)
      outcome.faults.push_back({lost.last_heard, peer, core::Fault::Kind::crash});
  std::ranges::stable_sort(outcome.faults,
                           [](const core::Fault& a, const core::Fault& b) { return a.at < b.at; });
  std::erase_if(outcome.faults, [&](const core::Fault& fault) { return fault.at > report.ended; });
  outcome.queueing = inputs.queueing;
  outcome.cuts = inputs.cuts;
  std::ranges::sort(outcome.cuts,
                    [](const NetworkCut& a, const NetworkCut& b) { return a.from < b.from; });
  keep_books(outcome);
  outcome.unseen = unseen_tasks(outcome, inputs.world->profile);
  // Else the loss of peers is the failure.
  if (outcome.lost.empty()) outcome.failure = plain_lines(failure_of(outcome, inputs.limit));
  add_samples(outcome, report, inputs.sample_every);
  add_messages(outcome, report);
  if (inputs.real_time) {
    add_histograms(outcome, report.fidelity);
    outcome.stalls = report.fidelity.stalls;
    outcome.validity = judge_validity(report.fidelity, inputs.lag_tolerance,
                                      inputs.identity.time_scale, report.ended.time_since_epoch());
  }
  if (!outcome.lost.empty())
    outcome.validity = invalid_by_loss(outcome.lost, inputs.world->source, outcome.validity);
  Examination examination = examine(outcome);
  outcome.violations = std::move(examination.violations);
  outcome.judged = std::move(examination.judged);
  return outcome;
}

}  // namespace rhizome::scenarios
