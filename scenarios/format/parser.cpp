#include "scenarios/format/parser.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "scenarios/format/builder.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/format/selection.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/outcome/most.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/latest.hpp"
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
    std::string name;
    for (const Entry& entry : document.entries)
      if (entry.section == section &&
          (entry.key == "label" || (entry.key == "use" && name.empty())))
        if (const std::string* text = entry.values.front().text()) name = *text;
    if (name.empty() && compared == "protocol") name = compared;
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
  // A run that somebody sent says its own.
  constexpr std::size_t most = 10'000;
  const auto separators = static_cast<std::size_t>(std::ranges::count(overrides.environment, ';'));
  if (overrides.command_line.size() + separators > most)
    throw InputError("--set", 1, 1,
                     "there are more than 10,000 of them, with those of RHIZOME_SET");
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

// What each cell repeats of a document.
struct Repeated {
  std::size_t items = 0;
  std::size_t text = 0;  // bytes
};

Repeated repeated_by(const Document& document) {
  Repeated each;
  for (const WrittenTable& table : document.tables) each.items += table.items.size();
  for (const Entry& entry : document.entries) {
    each.items += sweeps(entry) ? 1 : entry.values.size();
    each.text += entry.section.size() + entry.key.size();
    std::size_t longest = 0;  // of a list that is swept each cell has one value
    for (const Value& value : entry.values) {
      const std::size_t length = value.text() != nullptr ? value.text()->size() : 0;
      each.text += sweeps(entry) ? 0 : length;
      longest = std::max(longest, length);
    }
    each.text += sweeps(entry) ? longest : 0;
  }
  return each;
}

void check_span(std::size_t cells, const Repeated& each, const Position& at) {
  if (cells > most_cells)
    refuse(at, fmt::format("the lists of this scenario span more than {} cells", most_cells));
  if (cells > 1 && cells * each.items > most_items)
    refuse(at, fmt::format("the lists of this scenario span {} cells with {} keys and tables each: "
                           "{} are the most in all cells together",
                           cells, each.items, most_items));
  if (cells > 1 && cells * each.text > most_text)
    refuse(at, fmt::format("the lists of this scenario span {} cells with {} bytes of text each: "
                           "{} MiB are the most in all cells together",
                           cells, each.text, most_text >> 20U));
}

// The places of the entries whose lists span the matrix.
std::vector<std::size_t> swept_in(const Document& document) {
  const Repeated each = repeated_by(document);
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
    if (swept.size() == most_swept)
      refuse(entry.at, fmt::format("more than {} keys of this scenario are lists", most_swept));
    for (const Value& value : entry.values)
      if (value.text() != nullptr && value.text()->size() > longest_value)
        refuse(value.at, fmt::format("a value of a list has more than {} bytes", longest_value));
    swept.push_back(i);
    cells *= entry.values.size();
    check_span(cells, each, entry.at);
  }
  return swept;
}

// The document of the first cell.
Document first_cell(const Document& document, const std::vector<std::size_t>& swept) {
  Document single = document;
  for (const std::size_t i : swept)
    single.entries[i].values.erase(single.entries[i].values.begin() + 1,
                                   single.entries[i].values.end());
  return single;
}

// Goes on to the next cell; false after the last one. The last list varies fastest.
bool advance(Document& single, std::vector<std::size_t>& chosen, const Document& document,
             const std::vector<std::size_t>& swept) {
  for (std::size_t i = swept.size(); i-- > 0;) {
    const std::vector<Value>& values = document.entries[swept[i]].values;
    chosen[i] = (chosen[i] + 1) % values.size();
    single.entries[swept[i]].values.front() = values[chosen[i]];
    if (chosen[i] > 0) return true;
  }
  return false;
}

// Each run is planned before the first, and compared after the last.
void check_runs(const std::vector<Cell>& cells) {
  std::size_t runs = 0;
  for (const Cell& cell : cells)
    runs += std::size_t{cell.scenario.run.repetitions} * cell.scenario.schedulers.size();
  if (runs > most_runs)
    throw InputError(cells.front().scenario.file, 1, 1,
                     fmt::format("repetitions of all schedulers in all cells are {} runs: {} are "
                                 "the most of one scenario",
                                 runs, most_runs));
}

// Each claim is judged in each cell.
void check_claims(const std::vector<Cell>& cells) {
  const auto& claims = cells.front().scenario.claims;
  const auto wrong = [&](const std::string& what) {
    throw InputError(cells.front().scenario.file, 1, 1, what);
  };
  for (const Claim& claim : claims)
    if (claim.text.size() > longest_claim)
      wrong(fmt::format("a claim has more than {} bytes", longest_claim));
  if (claims.size() > most_judged / cells.size())
    wrong(fmt::format("{} claims in {} cells are too many: {} are judged at most", claims.size(),
                      cells.size(), most_judged));
}

KeyPositions positions_in(const Document& document) {
  std::map<std::string, Position> keys;
  for (const Entry& entry : document.entries)
    keys.emplace((entry.section.empty() ? "" : entry.section + ".") + entry.key, entry.at);
  return KeyPositions(std::move(keys));
}

std::vector<Cell> expand(const Document& document, const std::string& name,
                         std::span<const agents::Scheduler> schedulers) {
  const KeyPositions positions = positions_in(document);
  const std::vector<std::size_t> swept = swept_in(document);
  Document single = first_cell(document, swept);
  std::vector<std::size_t> chosen(swept.size());
  std::vector<std::string> paths;  // the same in each cell
  std::vector<Cell> matrix;
  do {
    Cell& cell = matrix.emplace_back();
    cell.scenario = Builder(single, name, schedulers).build();
    cell.scenario.positions = positions;
    for (std::size_t i = 0; i < swept.size(); ++i) {
      const Entry& entry = document.entries[swept[i]];
      if (paths.size() == i) paths.push_back(swept_path(document, entry, cell.scenario));
      cell.assignments.emplace_back(paths[i],
                                    toml_text(single.entries[swept[i]].values.front().scalar));
    }
  } while (advance(single, chosen, document, swept));
  return matrix;
}

}  // namespace

std::vector<Cell> parse_scenario(std::string_view text, const std::string& name,
                                 const Overrides& overrides,
                                 std::span<const agents::Scheduler> schedulers) {
  Document document = read_document(text, name);
  if (document.tables.size() > most_tables)
    refuse(document.tables[most_tables].at(),
           fmt::format("there are tables of more than {} names, and no scenario has as many",
                       most_tables));
  const std::string compared = document.compared();
  if (document.count(compared) > most_schedulers)
    throw InputError(name, 1, 1,
                     "there are more than 1000 [[" + compared + "]]: split the scenario");
  apply(document, overrides);
  std::vector<std::string> left_out;
  if (!overrides.schedulers.empty()) left_out = keep_schedulers(document, overrides.schedulers);
  std::vector<Cell> cells = expand(document, name, schedulers);
  check_runs(cells);
  check_claims(cells);
  const auto read = std::make_shared<const std::string>(text);
  for (Cell& cell : cells) {
    cell.scenario.claims_left_out = left_out;
    cell.text = read;
  }
  return cells;
}

std::vector<Cell> load_scenario(const std::filesystem::path& file, const Overrides& overrides,
                                std::span<const agents::Scheduler> schedulers) {
  const std::optional<std::string> text = read_file(led_by_latest(file, false));
  if (!text) throw UnreadableFile(file.string() + ": cannot be read");
  return parse_scenario(*text, file.string(), overrides, schedulers);
}

std::vector<Cell> load_kept_scenario(const std::filesystem::path& directory,
                                     const Overrides& overrides) {
  const std::filesystem::path file = directory / "scenario.toml";
  const std::optional<std::string> text = read_plain_file(file);
  if (!text) throw UnreadableFile(file.string() + ": cannot be read");
  return parse_scenario(*text, file.string(), overrides);
}

}  // namespace rhizome::scenarios
