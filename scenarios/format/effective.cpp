#include "scenarios/format/effective.hpp"

#include <algorithm>
#include <filesystem>
#include <variant>

#include "agents/schedulers.hpp"
#include "scenarios/format/client_keys.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/resource_keys.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/text/duration_text.hpp"

namespace rhizome::scenarios {

namespace {

bool in_force(const Section& section, const core::Setting& setting, const void* object) {
  const Condition* condition = section.condition(setting.name);
  if (condition == nullptr) return true;
  const core::Setting* deciding = section.find(condition->on);
  const auto chosen = std::get<std::string>(deciding->read(object));
  return std::ranges::find(condition->words, chosen) != condition->words.end() &&
         in_force(section, *deciding, object);
}

// Whether the key has no effect, so that the parser would refuse it. Keys with conditions are not
// judged here.
bool dormant(const Section& section, const std::string& key, const Scenario& scenario,
             const void* object) {
  if (section.name == "network.partition") {
    const bool named = !static_cast<const PartitionSection*>(object)->peers.empty();
    return key == (named ? "share" : "peers");
  }
  // The keys that it set are written instead.
  if (section.name.empty() && key == "costs") return true;
  if (section.name == "run" && key == "first") return scenario.run.first == 1;
  if (section.name == "faults" && scenario.faults.crash_share <= 0)
    return key != "crash_share" && key != "expected";
  if (section.name == "network" && key == "bandwidth_up_max")
    return scenario.network.bandwidth_up == core::Rate{};
  if (section.name == "network" && key == "bandwidth_down_max")
    return scenario.network.bandwidth_down == core::Rate{};
  return section.name == "workload" && key == "arrivals" && scenario.workload.spacing.count() == 0;
}

std::string line(const core::Setting& setting, const void* object) {
  return setting.name + " = " + toml_text(scalar_of(setting, object)) + "\n";
}

// "  (4342h)" where so many seconds are hard to read.
std::string in_hours_or_days(const core::Setting& setting, const void* object) {
  if (setting.kind != core::SettingKind::duration) return {};
  const auto time = std::get<Duration>(setting.read(object));
  return time < std::chrono::hours(10) ? "" : "  (" + rough_text(time) + ")";
}

// A value that follows the workload becomes a comment, because a written value would no longer
// follow.
std::string line_or_comment(const core::Setting& setting, const void* object, bool follows) {
  if (!follows) return line(setting, object);
  std::string text = "# follows the workload: " + line(setting, object);
  return text.insert(text.size() - 1, in_hours_or_days(setting, object));
}

std::string table(const Section& section, Scenario& scenario, std::size_t i) {
  const void* object = section.address(scenario, i);
  std::string text;
  if (!section.name.empty())
    text = section.repeated ? "\n[[" + section.name + "]]\n" : "\n[" + section.name + "]\n";
  for (const core::Setting& setting : section.settings)
    if (in_force(section, setting, object) && !dormant(section, setting.name, scenario, object))
      text += line_or_comment(setting, object,
                              !rule_of_unsaid(section, setting).empty() &&
                                  !scenario.said.contains(section.name + "." + setting.name));
  return text;
}

// The needs of tasks. Empty if a trace gives them.
std::string resources(const Section& section, Scenario& scenario) {
  const bool needs = has_own_needs(scenario) && !is_dormant(section.name, scenario.protocols);
  const std::size_t count = needs ? section.count(scenario) : 0;
  std::string text = count > 0 ? "\n[" + section.name + "]\n" : "";
  for (std::size_t i = 0; i < count; ++i) {
    const auto* resource = static_cast<const ResourceSection*>(section.address(scenario, i));
    for (core::Setting setting : section.settings) {
      setting.name = resource_key(setting, resource->name);
      text += line(setting, resource);
    }
  }
  return text;
}

std::string claims(const Scenario& scenario) {
  if (scenario.claims.empty()) return {};
  std::string text = "claims = [";
  for (std::size_t i = 0; i < scenario.claims.size(); ++i)
    text += (i == 0 ? "" : ", ") + toml_text(scenario.claims[i].text);
  return text + "]\n";
}

std::string compared(SchedulerChoice& choice, bool protocol) {
  std::string text = protocol ? "\n[[protocol]]\n" : "\n[[scheduler]]\n";
  if (!protocol || choice.scheduler->name != agents::program_name)
    text += "use = " + toml_text(std::string(choice.scheduler->name)) + "\n";
  text += "label = " + toml_text(choice.label) + "\n";
  const void* object = choice.scheduler->address(choice.options);
  for (const core::Setting& setting : choice.scheduler->settings)
    text += line_or_comment(
        setting, object,
        !rule_of_unsaid(*choice.scheduler, setting).empty() && !choice.said.contains(setting.name));
  return text;
}

}  // namespace

std::string effective_toml(const Scenario& original, FileNames names) {
  Scenario scenario = original;
  for (const auto& [key, file] : files_of(scenario))
    if (names == FileNames::absolute && !file->empty() && *file != "-")
      *file = std::filesystem::absolute(*file).lexically_normal().string();
  std::string text;
  for (const Section& section : sections()) {
    if (is_dormant(section.name, scenario.protocols)) continue;
    const std::size_t count = section.repeated ? section.count(scenario) : 1;
    for (std::size_t i = 0; i < count; ++i) text += table(section, scenario, i);
    if (section.name.empty()) text += claims(scenario);
  }
  for (const Section& section : resource_sections()) text += resources(section, scenario);
  for (SchedulerChoice& choice : scenario.schedulers) text += compared(choice, scenario.protocols);
  return text;
}

}  // namespace rhizome::scenarios
