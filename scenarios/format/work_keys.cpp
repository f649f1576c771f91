#include "scenarios/format/work_keys.hpp"

#include <fmt/core.h>

#include <any>
#include <cstddef>
#include <utility>
#include <variant>

#include "agents/work/command_line.hpp"
#include "agents/work/kinds.hpp"
#include "core/peer/names.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

using core::Setting;
using core::SettingValue;
using core::WorkKind;

std::string key_of(const WorkKind& kind, const Setting& setting) {
  return std::string(kind.name) + "_" + setting.name;
}

// The options of the kind at that position; its defaults if a section sets none.
std::any options_of(const WorkloadSection& section, const WorkKind& kind, std::size_t at) {
  const auto& all = section.work_options;
  return at < all.size() && all[at].has_value() ? all[at] : kind.defaults();
}

// The same setting, of a section in which all kinds have their options.
Setting within_section(const WorkKind& kind, std::size_t at, const Setting& inner) {
  Setting setting = inner;
  setting.name = key_of(kind, inner);
  setting.assign = [&kind, at, &inner](void* object, const SettingValue& value) {
    auto& section = *static_cast<WorkloadSection*>(object);
    std::any options = options_of(section, kind, at);
    inner.assign(kind.address(options), value);
    if (section.work_options.size() <= at) section.work_options.resize(at + 1);
    section.work_options[at] = std::move(options);
  };
  setting.read = [&kind, at, &inner](const void* object) {
    std::any options = options_of(*static_cast<const WorkloadSection*>(object), kind, at);
    return inner.read(kind.address(options));
  };
  return setting;
}

// The paths that settings of the chosen kind name; empty for a section without such settings.
std::vector<std::pair<std::string, std::string*>> named_by(
    std::vector<core::WorkFile> WorkKind::*list, WorkloadSection& section) {
  std::vector<std::pair<std::string, std::string*>> named;
  const auto at = static_cast<std::size_t>(section.work);
  if (at >= section.work_options.size() || !section.work_options[at].has_value()) return named;
  const WorkKind& kind = agents::work_kinds()[at];
  for (const core::WorkFile& file : kind.*list)
    named.emplace_back(std::string(kind.name) + "_" + std::string(file.setting),
                       file.name(section.work_options[at]));
  return named;
}

}  // namespace

std::vector<Setting> work_settings(core::WorkKinds kinds) {
  auto settings = core::Settings<WorkloadSection>{}.add(
      "work", &WorkloadSection::work, core::names_of(kinds),
      {"What tasks compute: nothing, for emulated durations, or something real; `rhizome list "
       "work` has the kinds."});
  for (std::size_t at = 0; at < kinds.size(); ++at)
    for (const Setting& inner : kinds[at].settings)
      settings.add({within_section(kinds[at], at, inner)});
  return settings.list();
}

std::vector<Condition> work_conditions(core::WorkKinds kinds) {
  std::vector<Condition> conditions;
  for (const WorkKind& kind : kinds)
    for (const Setting& setting : kind.settings)
      conditions.push_back({key_of(kind, setting), "work", {std::string(kind.name)}});
  return conditions;
}

std::vector<std::pair<std::string, std::string*>> work_files(WorkloadSection& section) {
  return named_by(&WorkKind::files, section);
}

std::vector<std::pair<std::string, std::string*>> work_folders(WorkloadSection& section) {
  auto named = named_by(&WorkKind::folders, section);
  const WorkloadModel& model = workload_model(section.kind);
  std::string* const own = model.folder ? model.folder(section) : nullptr;
  if (own != nullptr && (!own->empty() || comes_live(section))) named.emplace_back("folder", own);
  return named;
}

WorkCommand work_command(WorkloadSection section) {
  WorkCommand command;
  for (const auto& [key, program] : named_by(&WorkKind::programs, section))
    command.words.push_back(*program);
  if (command.words.empty()) return command;
  for (const auto& [key, folder] : named_by(&WorkKind::folders, section)) command.folder = *folder;
  const auto at = static_cast<std::size_t>(section.work);
  const WorkKind& kind = agents::work_kinds()[at];
  for (const Setting& setting : kind.settings)
    if (setting.name == "arguments")
      for (std::string& word : agents::words_in(std::get<std::string>(setting.read(
                                                    kind.address(section.work_options[at]))))
                                   .value_or(std::vector<std::string>{}))
        command.words.push_back(std::move(word));
  return command;
}

void check_work(const Written& written, const Scenario& scenario) {
  const auto at = static_cast<std::size_t>(scenario.workload.work);
  const WorkKind& kind = agents::work_kinds()[at];
  const std::size_t told =
      kind.spec ? kind.spec(options_of(scenario.workload, kind, at)).size() : 0;
  if (told > core::Recipe::longest)
    refuse(written.where("workload", "work"),
           fmt::format("the settings of work of the kind \"{}\" take {} bytes together, and {} are "
                       "the most",
                       kind.name, told, core::Recipe::longest));
  if (!kind.objection) return;
  const auto found = kind.objection(options_of(scenario.workload, kind, at));
  if (!found) return;
  const std::string key = std::string(kind.name) + "_" + std::string(found->setting);
  const bool said = written.find("workload", key) != nullptr;
  refuse(written.where("workload", said ? key : "work"), "\"" + key + "\": " + found->text);
}

}  // namespace rhizome::scenarios
