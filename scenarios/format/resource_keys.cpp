#include "scenarios/format/resource_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "agents/amounts.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

using agents::Amounts;
using core::Setting;
using Resources = std::vector<ResourceSection>;

constexpr std::string_view placeholder = "NAME";
constexpr std::array<std::string_view, 2> suffixes{"_max", "_share"};
constexpr std::array<std::string_view, 4> taken{"cpus", "memory", "slots", "speed"};
constexpr double largest_amount = static_cast<double>(Amounts::most) / Amounts::unit;

// The descriptions of the keys of each table.
struct Sentences {
  std::string_view amount;
  std::string_view range;
  std::string_view share;
};

std::vector<Setting> settings(const Sentences& sentences) {
  using S = ResourceSection;
  return core::Settings<S>{}
      .add("NAME", &S::amount, {sentences.amount, "our choice", 0, largest_amount})
      .add("NAME_max", &S::most, {sentences.range, "our choice", 0, largest_amount})
      .add("NAME_share", &S::share, {sentences.share, "our choice", 0, 1})
      .list();
}

template <class F>
Section named(std::string name, std::string about, const Sentences& sentences, F list) {
  return {
      .name = std::move(name),
      .about = std::move(about),
      .settings = settings(sentences),
      .address = [list](Scenario& scenario, std::size_t i) -> void* { return &list(scenario)[i]; },
      .resize = [list](Scenario& scenario, std::size_t size) { list(scenario).resize(size); },
      .count = [list](const Scenario& scenario) { return list(scenario).size(); }};
}

Section of_peers() {
  return named(
      "peers.resources", "What else peers have, by names of your own; at most four.",
      {"How much of it a peer has, such as gpu = 2; tasks say in [workload.resources] what "
       "they need. Counted in thousandths.",
       "Where it is more, peers have between that and so much, by chance; between whole "
       "numbers a whole one. 0: all have the same.",
       "The probability that a peer has any."},
      [](auto& scenario) -> auto& { return scenario.peers.resources; });
}

Section of_tasks() {
  return named(
      "workload.resources", "What else tasks need, by the names in [peers.resources].",
      {"How much of it a task occupies.",
       "Where it is more, tasks need between that and so much, by chance; between whole "
       "numbers a whole one. 0: all need the same.",
       "The probability that a task needs any."},
      [](auto& scenario) -> auto& { return scenario.workload.resources; });
}

// "gpu_max" is about "gpu".
std::string resource_of(const std::string& key) {
  for (const std::string_view suffix : suffixes)
    if (key.ends_with(suffix)) return key.substr(0, key.size() - suffix.size());
  return key;
}

bool is_name(const std::string& text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && fits(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return fits(c) || c == '-' || c == '_'; }) &&
         std::ranges::find(taken, text) == taken.end();
}

const Entry* first_about(const Document& document, std::string_view section,
                         const std::string& resource) {
  for (const Entry& entry : document.entries)
    if (entry.section == section && resource_of(entry.key) == resource) return &entry;
  return nullptr;
}

// A later layer may have chosen the workload that makes a key of the file rest.
void check_effect(const Document& document, const Scenario& scenario, const Entry& entry) {
  const Entry* kind = document.find("workload", "kind");
  if (kind != nullptr && kind->layer > entry.layer) return;
  refuse(entry.at, "\"" + entry.key + "\" has no effect while \"kind\" is \"" +
                       workload_model(scenario.workload.kind).word + "\": it belongs to generated");
}

}  // namespace

const std::vector<Section>& resource_sections() {
  static const std::vector<Section> all{of_peers(), of_tasks()};
  return all;
}

const Section* find_resource_section(std::string_view name) {
  for (const Section& section : resource_sections())
    if (section.name == name) return &section;
  return nullptr;
}

std::string resource_key(const Setting& setting, const std::string& resource) {
  return resource + setting.name.substr(placeholder.size());
}

void name_resources(const Document& document, Scenario& scenario) {
  std::set<std::string> names;
  for (const Entry& entry : document.entries) {
    if (find_resource_section(entry.section) == nullptr) continue;
    const std::string name = resource_of(entry.key);
    if (!is_name(name))
      refuse(entry.at, "\"" + name +
                           "\" can be no resource's name: small letters, digits, - and _, "
                           "and none of cpus, memory, slots and speed");
    names.insert(name);
    if (names.size() > Amounts::most_names)
      refuse(entry.at,
             "there are more than " + std::to_string(Amounts::most_names) + " named resources");
  }
  for (Resources* all : {&scenario.peers.resources, &scenario.workload.resources})
    for (const std::string& name : names) all->push_back({.name = name});
}

void assign_resource(const Section& section, const Entry& entry, Scenario& scenario) {
  const std::string name = resource_of(entry.key);
  for (std::size_t i = 0; i < section.count(scenario); ++i) {
    auto* resource = static_cast<ResourceSection*>(section.address(scenario, i));
    if (resource->name != name) continue;
    for (Setting setting : section.settings) {
      setting.name = resource_key(setting, name);
      if (setting.name == entry.key) assign_setting(setting, resource, entry);
    }
    for (const double amount : {resource->amount, resource->most})
      if (std::abs(amount * Amounts::unit - std::round(amount * Amounts::unit)) > 1e-6)
        refuse(entry.at, "\"" + entry.key + "\" is counted in thousandths");
  }
}

// Checks that a section's settings of a resource have a meaning.
void check_amounts(const Document& document, const std::string& section,
                   const std::vector<ResourceSection>& resources) {
  for (const ResourceSection& resource : resources) {
    const Entry* said = first_about(document, section, resource.name);
    if (said == nullptr) continue;
    if (resource.amount <= 0 && resource.most <= 0)
      refuse(said->at, "\"" + said->key + "\" has no effect: say how much there is of \"" +
                           resource.name + "\" in [" + section + "]");
    if (resource.most > 0 && resource.most <= resource.amount)
      refuse(said->at, "\"" + resource.name + "_max\" has no effect: it must be more than \"" +
                           resource.name + "\"");
  }
}

void check_resources(const Document& document, const Scenario& scenario) {
  check_amounts(document, "peers.resources", scenario.peers.resources);
  check_amounts(document, "workload.resources", scenario.workload.resources);
  const std::string peers = "peers.resources";
  const std::string tasks = "workload.resources";
  for (const ResourceSection& resource : scenario.peers.resources) {
    const Entry* had = first_about(document, peers, resource.name);
    const Entry* needed = first_about(document, tasks, resource.name);
    if (!has_own_needs(scenario)) {
      check_effect(document, scenario, needed != nullptr ? *needed : *had);
      continue;
    }
    if (needed == nullptr)
      refuse(had->at, "\"" + had->key + "\" has no effect: [" + tasks + "] does not name \"" +
                          resource.name + "\", so that no task needs it");
    if (had == nullptr)
      refuse(needed->at,
             "no peer has any \"" + resource.name + "\": say how much in [" + peers + "]");
  }
}

void note_needs(const Document& document, Scenario& scenario) {
  for (const Entry& entry : document.entries) {
    const std::string measure = resource_of(entry.key);
    const bool plain = entry.section == "workload" && (measure == "cpus" || measure == "memory");
    if (plain || entry.section == "workload.resources")
      scenario.needs.emplace_back(measure, entry.at);
  }
}

bool has_own_needs(const Scenario& scenario) {
  return workload_model(scenario.workload.kind).has("cpus");
}

}  // namespace rhizome::scenarios
