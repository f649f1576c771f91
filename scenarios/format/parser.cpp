#include "scenarios/format/parser.hpp"

#include <algorithm>
#include <sstream>

#include "scenarios/format/builder.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/format/selection.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/objections.hpp"

namespace rhizome::scenarios {

namespace {

// The sections that a dotted path of an override can mean: schedulers and protocols are named by
// label.
std::string section_of(const Document& document, const std::string& table, const Position& at) {
  const std::string compared = document.compared();
  const std::string prefix = compared + ".";
  if (!table.starts_with(prefix)) {
    const std::size_t dot = table.rfind('.');
    const bool numbered = dot != std::string::npos && table.size() > dot + 1 &&
                          table.find_first_not_of("0123456789", dot + 1) == std::string::npos &&
                          table.size() < dot + 8;
    return numbered ? table.substr(0, dot) + "#" + table.substr(dot + 1) : table;
  }
  const std::string label = table.substr(prefix.size());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < document.count(compared); ++i) {
    std::string section = compared + "#" + std::to_string(i);
    std::string name =
        compared == "protocol" ? compared : "";  // the name of a table without a key for one
    for (const Entry& entry : document.entries)
      if (entry.section == section &&
          (entry.key == "label" || (entry.key == "use" && name.empty())))
        if (const std::string* text = entry.values.front().text()) name = *text;
    if (name == label) return section;
    labels.push_back(name);
  }
  refuse(at, "no " + compared + " of this scenario is called \"" + label + "\"" +
                 suggestion(label, labels));
}

void apply(Document& document, Assignment assignment) {
  const std::size_t dot = assignment.path.rfind('.');
  Entry entry = std::move(assignment.entry);
  if (assignment.path.find('#') != std::string::npos)
    refuse(entry.at,
           "a name cannot hold \"#\": items of a list are numbered, as in scheduler.LABEL "
           "or network.partition.0");
  entry.key = dot == std::string::npos ? assignment.path : assignment.path.substr(dot + 1);
  const std::string table = dot == std::string::npos ? "" : assignment.path.substr(0, dot);
  entry.section = section_of(document, table, entry.at);
  const SectionName where = split_section(entry.section);
  if (entry.section.find('#') != std::string::npos && where.index >= document.count(where.name))
    refuse(entry.at, "there is no [[" + where.name + "]] " + std::to_string(where.index) +
                         ": they count from 0");
  for (Entry& old : document.entries)
    if (old.section == entry.section && old.key == entry.key) {
      old = std::move(entry);
      return;
    }
  document.entries.push_back(std::move(entry));
}

void apply(Document& document, const Overrides& overrides) {
  Objections objections;
  std::istringstream environment(overrides.environment);
  for (std::string text; std::getline(environment, text, ';');)
    if (!text.empty())
      objections.attempt([&] { apply(document, read_assignment(text, "RHIZOME_SET " + text, 1)); });
  for (const std::string& text : overrides.command_line)
    objections.attempt([&] { apply(document, read_assignment(text, "--set " + text, 2)); });
  objections.raise();
}

// Lists that span the matrix; claims are a list by nature.
bool sweeps(const Entry& entry) {
  return entry.list && !(entry.section.empty() && entry.key == "claims");
}

std::vector<Cell> expand(const Document& document, const std::string& name,
                         std::span<const agents::Scheduler> schedulers) {
  std::vector<std::size_t> swept;
  std::size_t cells = 1;
  for (std::size_t i = 0; i < document.entries.size(); ++i) {
    const Entry& entry = document.entries[i];
    if (!sweeps(entry)) continue;
    if (entry.section == "run" && entry.key == "seed")
      refuse(entry.at,
             "\"seed\" is no setting to compare by: runs of other seeds are repetitions, so say "
             "repetitions = " +
                 std::to_string(entry.values.size()));
    swept.push_back(i);
    cells *= entry.values.size();
    if (cells > most_cells)
      refuse(entry.at,
             "the lists of this scenario span more than " + std::to_string(most_cells) + " cells");
  }
  std::vector<Cell> matrix;
  for (std::size_t number = 0; number < cells; ++number) {
    Document single = document;
    Cell cell;
    std::size_t rest = number;
    for (auto i = swept.rbegin(); i != swept.rend(); ++i) {  // the last list varies fastest
      Entry& entry = single.entries[*i];
      entry.values = {entry.values[rest % entry.values.size()]};
      rest /= document.entries[*i].values.size();
    }
    cell.scenario = Builder(single, name, schedulers).build();
    for (const std::size_t i : swept)
      cell.assignments.emplace_back(swept_path(document, document.entries[i], cell.scenario),
                                    toml_text(single.entries[i].values.front().scalar));
    matrix.push_back(std::move(cell));
  }
  return matrix;
}

}  // namespace

std::vector<Cell> parse_scenario(std::string_view text, const std::string& name,
                                 const Overrides& overrides,
                                 std::span<const agents::Scheduler> schedulers) {
  Document document = read_document(text, name);
  constexpr std::size_t most_schedulers = 1000;
  const std::string compared = document.compared();
  if (document.count(compared) > most_schedulers)
    throw InputError(name, 1, 1,
                     "there are more than 1000 [[" + compared + "]]: split the scenario");
  apply(document, overrides);
  std::vector<std::string> left_out;
  if (!overrides.schedulers.empty()) left_out = keep_schedulers(document, overrides.schedulers);
  std::vector<Cell> cells = expand(document, name, schedulers);
  for (Cell& cell : cells) cell.scenario.claims_left_out = left_out;
  return cells;
}

std::vector<Cell> load_scenario(const std::filesystem::path& file, const Overrides& overrides,
                                std::span<const agents::Scheduler> schedulers) {
  const std::optional<std::string> text = read_file(file);
  if (!text) throw UnreadableFile(file.string() + ": cannot be read");
  return parse_scenario(*text, file.string(), overrides, schedulers);
}

}  // namespace rhizome::scenarios
