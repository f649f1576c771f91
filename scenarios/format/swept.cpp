#include "scenarios/format/swept.hpp"

#include <algorithm>
#include <iterator>

#include "scenarios/format/builder.hpp"
#include "scenarios/text/option_path.hpp"

namespace rhizome::scenarios {

namespace {

bool names_itself(const Entry& entry) { return entry.key == "label" || entry.key == "use"; }

bool sweeps_its_name(const Document& document, const std::string& section) {
  return std::ranges::any_of(document.entries, [&](const Entry& entry) {
    return entry.section == section && names_itself(entry) && entry.list;
  });
}

}  // namespace

std::string swept_path(const Document& document, const Entry& entry, const Scenario& scenario) {
  if (entry.section.empty()) return entry.key;
  if (entry.section.find('#') == std::string::npos) return entry.section + "." + entry.key;
  const auto [name, index] = split_section(entry.section);
  const bool labelled = name == document.compared() && !sweeps_its_name(document, entry.section);
  const std::string item = labelled ? scenario.schedulers[index].label : std::to_string(index);
  return name + "." + item + "." + entry.key;
}

bool touches(std::string_view path, std::string_view label) {
  const auto option = option_path(path);
  if (!option) return true;
  const std::string_view named = option->substr(0, option->find('.'));
  const bool numbered = named.find_first_not_of("0123456789") == std::string_view::npos;
  return numbered || named == label;
}

Assignments choices_for(const Cell& cell, std::string_view label) {
  Assignments choices;
  std::ranges::copy_if(cell.assignments, std::back_inserter(choices),
                       [label](const auto& choice) { return touches(choice.first, label); });
  return choices;
}

const Cell* cell_with(std::span<const Cell> cells, const Assignments& choices) {
  const auto has = [&choices](const Cell& cell) {
    return std::all_of(choices.begin(), choices.end(), [&](const auto& choice) {
      return std::find(cell.assignments.begin(), cell.assignments.end(), choice) !=
             cell.assignments.end();
    });
  };
  const auto found = std::find_if(cells.begin(), cells.end(), has);
  return found == cells.end() ? nullptr : &*found;
}

}  // namespace rhizome::scenarios
