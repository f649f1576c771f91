#include "scenarios/report/material.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "scenarios/timeline/executions.hpp"
#include "scenarios/timeline/trace.hpp"
#include "scenarios/tree/render.hpp"

namespace rhizome::scenarios {

namespace {

std::string text_in(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string name_of(const Identity& identity) {
  const std::string cell = cell_text(identity);
  return cell.empty() ? identity.label : identity.label + ", " + cell;
}

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

std::vector<double> burdens_of(const Bill& bill) {
  std::vector<double> burdens;
  for (const BillPeer& peer : bill.peers)
    burdens.push_back(static_cast<double>(peer.carried.messages));
  return burdens;
}

void show_first(Contestant& contestant, const Outcome& outcome, Bill bill) {
  contestant.tasks = outcome.tasks.size();
  contestant.bill = std::move(bill);
  contestant.tree_svg =
      svg_of(tree_at(outcome, Time::max()), outcome, contestant.name + ", before it dissolved");
  contestant.executions = executions_of(outcome).size();
  contestant.schedule = schedule_of(outcome);
}

}  // namespace

Material gather(const StoredRun& run) {
  Material material{.name = run.name(),
                    .scenario = text_in(run.path / "scenario.toml"),
                    .replay = run.record.replay,
                    .record = run.record,
                    .runs = {},
                    .contestants = {}};
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const Outcome outcome = run.read(i);
    material.runs.push_back(figures_of(outcome, material.name));
    const std::string name = name_of(outcome.identity);
    auto found = std::find_if(material.contestants.begin(), material.contestants.end(),
                              [&](const Contestant& c) { return c.name == name; });
    const bool first = found == material.contestants.end();
    if (first) {
      found = material.contestants.insert(found, Contestant{});
      found->name = name;
    }
    Bill bill = bill_of(outcome);
    found->completions.push_back(completions_of(outcome));
    found->burdens.push_back(burdens_of(bill));
    if (first) show_first(*found, outcome, std::move(bill));
  }
  return material;
}

}  // namespace rhizome::scenarios
