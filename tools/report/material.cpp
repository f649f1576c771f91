#include "tools/report/material.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <variant>

#include "scenarios/format/claim.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/outcome/most.hpp"
#include "scenarios/text/files.hpp"
#include "tools/cli/command_again.hpp"
#include "tools/report/parts.hpp"
#include "tools/timeline/completions.hpp"
#include "tools/timeline/executions.hpp"
#include "tools/timeline/trace.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::tools {

namespace {

std::vector<double> burdens_of(const Outcome& outcome, core::MessageClass message_class) {
  std::vector<double> burdens;
  for (const PeerOutcome& peer : outcome.peers) {
    std::uint64_t carried = 0;
    for (const core::BurdenRow& row : peer.burdens)
      if (row.message_class == message_class) carried += row.sent.messages + row.received.messages;
    burdens.push_back(static_cast<double>(carried));
  }
  std::ranges::sort(burdens, std::greater<>());
  return burdens;
}

void show_first(Contestant& contestant, const Outcome& outcome) {
  contestant.bill = bill_of(outcome);
  contestant.structure = structure_text(outcome);
  const Tree tree = tree_at(outcome, Time::max());
  if (tree.members() > 1)
    contestant.tree_svg = svg_of(tree, outcome, contestant.name + ", before it dissolved");
  contestant.executions = executions_of(outcome).size();
  contestant.ended = core::seconds(outcome.ended.time_since_epoch());
  contestant.schedule = schedule_of(outcome);
}

void add_repetition(Contestant& contestant, const Outcome& outcome) {
  contestant.completions.push_back(completions_of(outcome));
  contestant.tasks.push_back(outcome.tasks.size() + outcome.unseen);
  contestant.responses.push_back(scenarios::responses_of(outcome));
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
  contestant.steered += outcome.steered.operator_commands > 0 ? 1 : 0;
}

Contestant& contestant_of(std::vector<Contestant>& contestants, const Outcome& outcome) {
  const std::string name = contestant_name(outcome.identity);
  for (Contestant& known : contestants)
    if (known.name == name) return known;
  Contestant& made = contestants.emplace_back();
  made.name = name;
  show_first(made, outcome);
  return made;
}

// Whether the run has several cells: then the report omits details within cells, which would hide
// the results over all cells.
bool has_cells(const StoredRun& run) {
  std::set<std::string> cells;
  for (std::size_t i = 0; i < run.store.size(); ++i)
    if (const std::string cell = cell_text(run.store.identity(i)); !cell.empty())
      cells.insert(cell);
  return cells.size() > 1;
}

// The claims of the scenario, and the confidence of its intervals. A damaged scenario text has no
// claims.
struct Stated {
  std::vector<Claim> claims{};
  double confidence = 0.95;
  std::string description{};
};
Stated stated_in(const std::string& scenario) {
  Stated stated;
  try {
    const Document document = read_document(scenario, "scenario.toml");
    if (const Entry* claims = document.find("", "claims"))
      for (const Value& written : claims->values)
        if (const std::string* text = written.text())
          if (auto claim = parse_claim(*text)) stated.claims.push_back(std::move(*claim));
    if (const Entry* entry = document.find("", "description"))
      if (const std::string* text = entry->values.front().text()) stated.description = *text;
    if (const Entry* entry = document.find("run", "confidence"))
      if (const auto* value = std::get_if<double>(&entry->values.front().scalar))
        if (*value > 0 && *value < 1) stated.confidence = *value;
  } catch (const InputError&) {
    return {};
  }
  std::erase_if(stated.claims, [](const Claim& claim) {
    const auto* right = std::get_if<Operand>(&claim.right);
    return claim.text.size() > longest_claim || find_metric(claim.left.metric) == nullptr ||
           (right != nullptr && find_metric(right->metric) == nullptr);
  });
  return stated;
}

void judge(Material& material, std::span<const Metric* const> metrics) {
  const Stated stated = stated_in(material.scenario);
  material.claims = judge_claims(stated.claims, material.runs, stated.confidence);
  material.description = stated.description;
  if (!material.contestants.empty()) return;
  for (const Metric* metric : metrics)
    if (auto sweep = sweep_of(material.runs, *metric, stated.confidence))
      material.sweeps.push_back(std::move(*sweep));
}

}  // namespace

Material gather(const StoredRun& run, std::span<const Metric* const> metrics) {
  // Reading a text of tables alone takes twenty times its bytes of memory.
  constexpr std::size_t most = std::size_t{4} << 20U;
  Material material{.name = run.name(),
                    .scenario = read_plain_file(run.path / "scenario.toml", most).value_or(""),
                    .again = run.record.order ? shown_command_again(*run.record.order) : "",
                    .record = run.record,
                    .runs = {},
                    .contestants = {}};
  const bool cells = has_cells(run);
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const Outcome outcome = run.read(i);
    material.runs.push_back(figures_of(outcome, material.name));
    if (!cells) add_repetition(contestant_of(material.contestants, outcome), outcome);
  }
  // Marks invalid, failed and steered runs in the name, so that every place that shows the name
  // shows the mark.
  for (Contestant& contestant : material.contestants) {
    if (contestant.invalid > 0) contestant.name += " (invalid)";
    if (contestant.failed > 0) contestant.name += " (failed)";
    if (contestant.steered > 0) contestant.name += " (steered)";
  }
  judge(material, metrics);
  return material;
}

}  // namespace rhizome::tools
