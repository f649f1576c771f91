#include "scenarios/format/swept.hpp"

#include <algorithm>
#include <iterator>

#include "scenarios/format/builder.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::string_view option_prefix = "scheduler.";

bool names_itself(const Entry& entry) { return entry.key == "label" || entry.key == "use"; }

bool sweeps_its_name(const Document& document, const std::string& section) {
  return std::any_of(document.entries.begin(), document.entries.end(), [&](const Entry& entry) {
    return entry.section == section && names_itself(entry) && entry.list;
  });
}

}  // namespace

std::string swept_path(const Document& document, const Entry& entry, const Scenario& scenario) {
  if (entry.section.empty()) return entry.key;
  if (entry.section.find('#') == std::string::npos) return entry.section + "." + entry.key;
  const auto [name, index] = split_section(entry.section);
  const bool labelled = name == "scheduler" && !sweeps_its_name(document, entry.section);
  const std::string item = labelled ? scenario.schedulers[index].label : std::to_string(index);
  return name + "." + item + "." + entry.key;
}

bool touches(std::string_view path, std::string_view label) {
  if (!path.starts_with(option_prefix)) return true;
  path.remove_prefix(option_prefix.size());
  const std::string_view named = path.substr(0, path.find('.'));
  const bool numbered = named.find_first_not_of("0123456789") == std::string_view::npos;
  return numbered || named == label;
}

Assignments choices_for(const Cell& cell, std::string_view label) {
  Assignments choices;
  std::copy_if(cell.assignments.begin(), cell.assignments.end(), std::back_inserter(choices),
               [label](const auto& choice) { return touches(choice.first, label); });
  return choices;
}

}  // namespace rhizome::scenarios
