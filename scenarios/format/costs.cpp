#include "scenarios/format/costs.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "agents/work/kinds.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/format/work_keys.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/nearest.hpp"

namespace rhizome::scenarios {

namespace {

struct Took {
  Duration time{0};
};
constexpr double longest = 1e9;

const std::vector<core::Setting>& settings_of_work() {
  static const std::vector<core::Setting> all = work_settings(agents::work_kinds());
  return all;
}

const core::Setting& setting_of_time() {
  static const auto list =
      core::Settings<Took>{}.add("time", &Took::time, {"", "", 1e-9, longest}).list();
  return list.front();
}

void assign_work(MeasuredWork& work, const Entry& entry) {
  if (entry.key == "time") {
    Took took;
    assign_setting(setting_of_time(), &took, entry);
    work.time = took.time;
    return;
  }
  std::vector<std::string> names{"time"};
  for (const core::Setting& setting : settings_of_work()) {
    names.push_back(setting.name);
    if (setting.name == entry.key) return assign_setting(setting, &work.work, entry);
  }
  refuse(entry.at, "there is no key \"" + entry.key + "\"" + suggestion(entry.key, names));
}

// Assigns a cost with the bounds of the key in [engine].
void assign_event(Costs& costs, const Entry& entry) {
  EngineSection engine;
  const std::vector<std::string> names{"handling", "wake_up", "cores"};
  if (std::ranges::find(names, entry.key) == names.end())
    refuse(entry.at, "there is no key \"" + entry.key + "\" here" + suggestion(entry.key, names));
  assign_setting(*find_section("engine")->find(entry.key), &engine, entry);
  if (entry.key == "handling") costs.handling = engine.handling;
  if (entry.key == "wake_up") costs.wake_up = engine.wake_up;
  if (entry.key == "cores") costs.cores = engine.cores;
}

// The settings of the kind that is chosen.
std::vector<const core::Setting*> own_settings(core::WorkKindId kind) {
  const std::string prefix =
      std::string(agents::work_kinds()[static_cast<std::size_t>(kind)].name) + "_";
  std::vector<const core::Setting*> own;
  for (const core::Setting& setting : settings_of_work())
    if (setting.name.starts_with(prefix)) own.push_back(&setting);
  return own;
}

bool is_among(const std::vector<core::WorkFile>& files, const core::WorkKind& kind,
              const core::Setting& setting) {
  return std::ranges::any_of(files, [&](const core::WorkFile& file) {
    return setting.name == std::string(kind.name) + "_" + std::string(file.setting);
  });
}

// Files may have been copied elsewhere: their names without folders count, and folders do not.
bool is_same(const core::Setting& setting, bool file, const WorkloadSection& a,
             const WorkloadSection& b) {
  const Scalar of_a = scalar_of(setting, &a);
  const Scalar of_b = scalar_of(setting, &b);
  if (!file) return of_a == of_b;
  const auto name = [](const Scalar& scalar) {
    return std::filesystem::path(std::get<std::string>(scalar)).filename();
  };
  return name(of_a) == name(of_b);
}

bool is_same_work(const WorkloadSection& a, const WorkloadSection& b) {
  if (a.work != b.work) return false;
  const core::WorkKind& kind = agents::work_kinds()[static_cast<std::size_t>(a.work)];
  const auto own = own_settings(a.work);
  return std::ranges::all_of(own, [&](const core::Setting* setting) {
    return is_among(kind.folders, kind, *setting) ||
           is_same(*setting, is_among(kind.files, kind, *setting), a, b);
  });
}

// Sets the time of a task of real work.
void set_task_time(const Written& written, Scenario& scenario, const Costs& costs) {
  const Entry* said = written.find("workload", "portion_time");
  const Position at = written.where("", "costs");
  if (said != nullptr && !written.later(*said, "", "costs"))
    refuse(said->at, "\"portion_time\" has no effect: \"costs\" says how long a task takes");
  for (const MeasuredWork& each : costs.works)
    if (is_same_work(each.work, scenario.workload)) {
      scenario.workload.portion_time =
          core::from_seconds(core::seconds(each.time) * scenario.engine.time_scale);
      return;
    }
  std::string wanted = lines_of_work(scenario.workload);
  wanted.pop_back();
  std::ranges::replace(wanted, '\n', ',');
  refuse(at, scenario.costs + " does not have this work (" + wanted +
                 "): `rhizome doctor --calibrate SCENARIO --to FILE` measures it");
}

// All cells of a scenario have the same file.
const Costs& costs_in(const std::string& text, const std::string& file) {
  struct Kept {
    std::string file;
    std::string text;
    Costs costs;
  };
  thread_local Kept last;
  if (last.file != file || last.text != text) last = {file, text, read_costs(text, file)};
  return last.costs;
}

}  // namespace

Costs read_costs(std::string_view text, const std::string& file) {
  const Document document = read_document(text, file);
  Costs costs;
  costs.works.resize(document.count("work"));
  for (const Entry& entry : document.entries) {
    if (entry.list) refuse(entry.at, "\"" + entry.key + "\" takes one value");
    if (entry.section == "engine")
      assign_event(costs, entry);
    else if (entry.section.starts_with("work#"))
      assign_work(costs.works[std::stoul(entry.section.substr(5))], entry);
    else
      refuse(entry.at, "costs are told in [engine] and in [[work]]");
  }
  return costs;
}

std::string lines_of_work(const WorkloadSection& work) {
  WorkloadSection defaults;
  defaults.work = work.work;
  const core::WorkKind& kind = agents::work_kinds()[static_cast<std::size_t>(work.work)];
  std::string lines = "work = " + toml_text(Scalar(std::string(kind.name))) + "\n";
  for (const core::Setting* setting : own_settings(work.work)) {
    const Scalar value = scalar_of(*setting, &work);
    if (value != scalar_of(*setting, &defaults))
      lines += setting->name + " = " + toml_text(value) + "\n";
  }
  return lines;
}

void apply_costs(const Written& written, Scenario& scenario) {
  if (scenario.costs.empty()) return;
  std::error_code error;  // a pipe would hold up who opens it
  const auto text = std::filesystem::is_regular_file(scenario.costs, error)
                        ? read_file(scenario.costs)
                        : std::nullopt;
  if (!text) refuse(written.where("", "costs"), "there is no file \"" + scenario.costs + "\"");
  const Costs& costs = costs_in(*text, scenario.costs);
  const auto set = [&](const char* key, auto& into, const auto& measured) {
    if (measured && !scenario.said.contains(std::string("engine.") + key)) into = *measured;
  };
  set("handling", scenario.engine.handling, costs.handling);
  set("wake_up", scenario.engine.wake_up, costs.wake_up);
  set("cores", scenario.engine.cores, costs.cores);
  if (scenario.workload.work != core::WorkKindId{}) set_task_time(written, scenario, costs);
}

}  // namespace rhizome::scenarios
