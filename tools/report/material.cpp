#include "tools/report/material.hpp"

#include <algorithm>
#include <functional>

#include "scenarios/text/files.hpp"
#include "tools/timeline/executions.hpp"
#include "tools/timeline/trace.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::tools {

namespace {

// Seconds since the first submission.
std::vector<double> completions_of(const Outcome& outcome) {
  Time first = Time::max();
  for (const TaskOutcome& task : outcome.tasks)
    if (task.submitted) first = std::min(first, task.submitted_at);
  std::vector<double> times;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed) times.push_back(core::seconds(task.completed_at - first));
  std::sort(times.begin(), times.end());
  return times;
}

std::vector<double> burdens_of(const Outcome& outcome, core::MessageClass message_class) {
  std::vector<double> burdens;
  for (const PeerOutcome& peer : outcome.peers) {
    std::uint64_t carried = 0;
    for (const core::BurdenRow& row : peer.burdens)
      if (row.message_class == message_class) carried += row.sent.messages + row.received.messages;
    burdens.push_back(static_cast<double>(carried));
  }
  std::sort(burdens.begin(), burdens.end(), std::greater<>());
  return burdens;
}

void show_first(Contestant& contestant, const Outcome& outcome) {
  contestant.bill = bill_of(outcome);
  contestant.tree_svg =
      svg_of(tree_at(outcome, Time::max()), outcome, contestant.name + ", before it dissolved");
  contestant.executions = executions_of(outcome).size();
  contestant.schedule = schedule_of(outcome);
}

void add_repetition(Contestant& contestant, const Outcome& outcome) {
  contestant.completions.push_back(completions_of(outcome));
  contestant.tasks.push_back(outcome.tasks.size() + outcome.unseen);
  for (std::size_t c = 0; c < core::message_classes; ++c)
    contestant.burdens[c].push_back(burdens_of(outcome, static_cast<core::MessageClass>(c)));
  const Fate fate = fate_of(outcome);
  if (contestant.fate.runs == 0) {
    contestant.fate = fate;
  } else {
    add(contestant.fate, fate);
  }
  contestant.invalid += outcome.validity.level == Validity::Level::invalid ? 1 : 0;
  contestant.failed += outcome.failure.empty() ? 0 : 1;
}

}  // namespace

Material gather(const StoredRun& run) {
  Material material{.name = run.name(),
                    .scenario = read_file(run.path / "scenario.toml").value_or(""),
                    .replay = run.record.replay,
                    .record = run.record,
                    .runs = {},
                    .contestants = {}};
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const Outcome outcome = run.read(i);
    material.runs.push_back(figures_of(outcome, material.name));
    const std::string name = contestant_name(outcome.identity);
    auto found = std::find_if(material.contestants.begin(), material.contestants.end(),
                              [&](const Contestant& c) { return c.name == name; });
    const bool first = found == material.contestants.end();
    if (first) {
      found = material.contestants.insert(found, Contestant{});
      found->name = name;
    }
    if (first) show_first(*found, outcome);
    add_repetition(*found, outcome);
  }
  // Wherever they are shown, invalid and failed runs are marked.
  for (Contestant& contestant : material.contestants) {
    if (contestant.invalid > 0) contestant.name += " (invalid)";
    if (contestant.failed > 0) contestant.name += " (failed)";
  }
  return material;
}

}  // namespace rhizome::tools
