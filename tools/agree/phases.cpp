#include "tools/agree/phases.hpp"

#include <algorithm>
#include <functional>

#include "scenarios/outcome/kind_index.hpp"

namespace rhizome::tools {

namespace {

// When each task completed, ascending.
std::vector<Time> completions(const Outcome& outcome) {
  std::vector<Time> times;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed) times.push_back(task.completed_at);
  std::ranges::sort(times);
  return times;
}

Time beginning(const Outcome& outcome) {
  Time first = Time::max();
  for (const TaskOutcome& task : outcome.tasks)
    if (task.submitted) first = std::min(first, task.submitted_at);
  return first;
}

// When each tenth of the tasks had completed; empty if no task completed.
std::vector<Time> ends_of_phases(const Outcome& outcome) {
  const std::vector<Time> times = completions(outcome);
  std::vector<Time> ends;
  if (times.empty()) return ends;
  const std::size_t tasks = outcome.tasks.size() + outcome.unseen;
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const std::size_t wanted = (tasks * (phase + 1) + phases - 1) / phases;
    ends.push_back(times[std::clamp<std::size_t>(wanted, 1, times.size()) - 1]);
  }
  return ends;
}

// The busy time of all executions, needed or not, over the time of all slots. Unlike in the metric
// of that name, a task counts as one slot, and a task that began before the first submission counts
// whole.
PhaseSeries utilisation_at(const std::vector<Time>& ends, Time begun, const Outcome& outcome) {
  double slots = 0;
  for (const PeerOutcome& peer : outcome.peers) slots += peer.slots;
  PhaseSeries series{};
  double busy = 0;
  const auto& executed = outcome.facts.of<agents::TaskExecuted>();
  auto noted = executed.begin();
  for (std::size_t phase = 0; phase < phases; ++phase) {
    for (; noted != executed.end() && noted->at <= ends[phase]; ++noted)
      busy += core::seconds(noted->fact.took);
    const double span = slots * core::seconds(ends[phase] - begun);
    series[phase] = span > 0 ? busy / span : 0;
  }
  return series;
}

PhaseFigures::Totals messages_at(const std::vector<Time>& ends, const Outcome& outcome) {
  PhaseFigures::Totals totals{};
  for (std::size_t phase = 0; phase < phases; ++phase)
    for (const SampleOutcome& sample : outcome.samples) {
      if (sample.from > ends[phase]) break;
      for (std::size_t c = 0; c < core::message_classes; ++c)
        totals[c][phase] += static_cast<double>(sample.messages[c]);
    }
  return totals;
}

using Burdens = std::vector<std::array<std::uint64_t, core::message_classes>>;  // by peer

// Counts every message at its sender and at its receiver, up to a time.
Burdens burdens_until(Time end, const Outcome& outcome) {
  const scenarios::KindIndex kinds(outcome.kinds);
  Burdens burdens(outcome.peers.size());
  for (const MessageOutcome& message : outcome.messages) {
    const MessageKind* const kind = kinds.find(message.service, message.type);
    if (kind == nullptr) continue;
    const auto c = static_cast<std::size_t>(kind->message_class);
    burdens[message.from.value][c] += message.sent <= end ? 1 : 0;
    burdens[message.to.value][c] += message.received <= end ? 1 : 0;
  }
  return burdens;
}

PhaseFigures::Ranks ranks_at(const std::vector<Time>& ends, const Outcome& outcome) {
  PhaseFigures::Ranks ranks{};
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const Burdens burdens = burdens_until(ends[phase], outcome);
    for (std::size_t c = 0; c < core::message_classes; ++c) {
      std::vector<std::uint64_t> carried(std::max(burdens.size(), phase_ranks), 0);
      for (std::size_t peer = 0; peer < burdens.size(); ++peer) carried[peer] = burdens[peer][c];
      std::partial_sort(carried.begin(), carried.begin() + phase_ranks, carried.end(),
                        std::greater<>());
      for (std::size_t rank = 0; rank < phase_ranks; ++rank)
        ranks[c][rank][phase] = static_cast<double>(carried[rank]);
    }
  }
  return ranks;
}

const PhaseSeries* messages_for(const PhaseFigures& figures, std::size_t message_class,
                                const std::string& count) {
  if (count == "messages") return figures.messages ? &(*figures.messages)[message_class] : nullptr;
  for (std::size_t rank = 0; rank < phase_ranks; ++rank)
    if (count == "messages_top" + std::to_string(rank + 1))
      return figures.ranked_messages ? &(*figures.ranked_messages)[message_class][rank] : nullptr;
  return nullptr;
}

}  // namespace

PhaseFigures phases_of(const Outcome& outcome) {
  PhaseFigures figures;
  const std::vector<Time> ends = ends_of_phases(outcome);
  if (ends.empty()) return figures;
  const Time begun = beginning(outcome);
  for (std::size_t phase = 0; phase < phases; ++phase)
    figures.seconds[phase] = core::seconds(ends[phase] - begun);
  figures.utilisation = utilisation_at(ends, begun, outcome);
  if (!outcome.samples.empty()) figures.messages = messages_at(ends, outcome);
  if (!outcome.messages.empty()) figures.ranked_messages = ranks_at(ends, outcome);
  return figures;
}

const PhaseSeries* series_for(const PhaseFigures& figures, const std::string& metric) {
  if (metric == "makespan") return &figures.seconds;
  if (metric == "utilisation") return &figures.utilisation;
  for (std::size_t c = 0; c < core::message_classes; ++c) {
    const std::string word = std::string(name_of(static_cast<core::MessageClass>(c))) + "_";
    if (metric.starts_with(word)) return messages_for(figures, c, metric.substr(word.size()));
  }
  return nullptr;
}

}  // namespace rhizome::tools
