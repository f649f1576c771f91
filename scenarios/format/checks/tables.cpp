#include "scenarios/format/checks/checks.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/keys.hpp"
#include "scenarios/format/resource_keys.hpp"
#include "scenarios/text/nearest.hpp"

namespace rhizome::scenarios {

namespace {

std::vector<std::string> table_names() {
  std::vector<std::string> names{"scheduler", "protocol"};
  for (const Section& section : sections())
    if (!section.name.empty()) names.push_back(section.name);
  for (const Section& section : resource_sections()) names.push_back(section.name);
  return names;
}

std::string heading(const std::string& name) {
  const Section* section = find_section(name);
  const bool list =
      section == nullptr ? name == "scheduler" || name == "protocol" : section->repeated;
  return list ? "[[" + name + "]]" : "[" + name + "]";
}

// "faults.event" for "faults.event#2".
std::string_view without_number(std::string_view section) {
  return section.substr(0, section.find('#'));
}

void rename(Document& document, const std::string& from, const std::string& to) {
  const auto renamed = [&](std::string& name) {
    if (is_within(name, from)) name = to + name.substr(from.size());
  };
  for (WrittenTable& table : document.tables) renamed(table.name);
  for (Entry& entry : document.entries) renamed(entry.section);
}

// The table that was meant; empty where it is not clear.
std::string meant_by(const Document& document, const std::string& table) {
  const std::vector<std::string> names = table_names();
  if (table.find('#') != std::string::npos || std::ranges::find(names, table) != names.end())
    return {};
  std::string near = nearest(table, names);
  return document.count(near) > 0 ? std::string() : near;
}

// The sections with that key.
std::set<std::string> with_key(const Document& document, const std::string& key) {
  std::set<std::string> sections;
  for (const Entry& entry : document.entries)
    if (entry.key == key) sections.insert(entry.section);
  return sections;
}

}  // namespace

void read_as_meant(Document& document, Objections& objections) {
  for (std::size_t i = 0; i < document.tables.size(); ++i) {
    const WrittenTable table = document.tables[i];
    const std::string meant = meant_by(document, table.name);
    if (meant.empty()) continue;
    objections.attempt([&] { refuse_table(table.name, table.at()); });
    rename(document, table.name, meant);
  }
  const std::vector<std::string> use{"use"};
  std::set<std::string> used = with_key(document, use.front());
  for (Entry& entry : document.entries) {
    if (without_number(entry.section) != "scheduler" || used.contains(entry.section) ||
        nearest(entry.key, use).empty())
      continue;
    objections.attempt([&] {
      refuse(entry.at,
             "there is no key \"" + entry.key + "\" in [[scheduler]]" + suggestion(entry.key, use));
    });
    entry.key = use.front();
    used.insert(entry.section);
  }
}

bool is_within(const std::string& section, const std::string& table) {
  return section.starts_with(table) &&
         (section.size() == table.size() || section[table.size()] == '.' ||
          section[table.size()] == '#');
}

void refuse_table(const std::string& called, const Position& at) {
  if (called.starts_with("scheduler#") || called.starts_with("protocol#"))
    refuse(at, heading(std::string(without_number(called))) + " has no table \"" +
                   called.substr(called.find('.') + 1) +
                   "\" in it: its options stand in it as they are");
  const std::vector<std::string> names = table_names();
  const std::string table(without_number(called));
  const std::string near = nearest(table, names);
  std::string help = "; did you mean " + heading(near) + "?";
  if (near.empty()) {
    help = "; it is one of";
    for (const std::string& name : names) help += " " + heading(name);
  }
  refuse(at, "there is no table [" + table + "]" + help);
}

}  // namespace rhizome::scenarios
