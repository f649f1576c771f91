#include "scenarios/format/builder.hpp"

#include <algorithm>
#include <filesystem>

#include "agents/program/protocols.hpp"
#include "agents/schedulers.hpp"
#include "scenarios/format/checks/checks.hpp"
#include "scenarios/format/client_keys.hpp"
#include "scenarios/format/costs.hpp"
#include "scenarios/format/resource_keys.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/format/work_keys.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/outcome/most.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/plain_text.hpp"
#include "scenarios/world/faults/lifetimes.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

SectionName split_section(const std::string& section) {
  const std::size_t hash = section.find('#');
  if (hash == std::string::npos) return {section, 0};
  return {section.substr(0, hash), std::stoul(section.substr(hash + 1))};
}

Builder::Builder(const Document& document, const std::string& name,
                 std::span<const agents::Scheduler> schedulers)
    : document_(document), name_(name), schedulers_(schedulers) {}

Scenario Builder::build() {
  scenario_.file = name_;
  scenario_.name = std::filesystem::path(name_).stem().string();
  read_as_meant(document_, objections_);
  object_to_mixture(document_, objections_);
  scenario_.protocols = document_.compared() == "protocol";
  place_tables();
  objections_.attempt([this] { name_resources(document_, scenario_); });
  choose_schedulers();
  for (const Entry& entry : document_.entries)
    objections_.attempt([&] {
      if (!within_refused(entry.section)) assign(entry);
    });
  objections_.raise();
  check();
  objections_.raise();
  scenario_.name = plain_text(scenario_.name);  // that of the file may be no UTF-8
  return std::move(scenario_);
}

// Checks keys together.
void Builder::check() {
  apply_client(scenario_);
  check_conditions();
  objections_.attempt([this] { check_labels(); });
  for (std::size_t i = 0; i < claims_at_.size(); ++i)
    objections_.attempt([&] { check_claim(scenario_.claims[i], claims_at_[i]); });
  objections_.attempt([this] { check_resources(document_, scenario_); });
  note_needs(document_, scenario_);
  scenario_.lasting = where_tasks_last();
  for (const Check one :
       {check_client, check_bounds, check_network, check_faults, check_effects, check_clock})
    objections_.attempt([&] { one(written_, scenario_); });
  objections_.attempt([this] {
    check_files();
    for (const Check one : {check_hosts, check_table, check_live}) one(written_, scenario_);
  });
}

// Makes room for repeated tables and refuses tables that do not exist.
void Builder::place_tables() {
  for (const WrittenTable& table : document_.tables)
    objections_.attempt([&] {
      if (!within_refused(table.name)) place_table(table);
    });
  for (const Section& section : sections())
    if (section.repeated && !refused_.contains(section.name))
      section.resize(scenario_, document_.count(section.name));
  scenario_.schedulers.resize(document_.count(document_.compared()));
}

void Builder::place_table(const WrittenTable& table) {
  const std::string& name = table.name;
  const Section* section = find_section(split_section(name).name);
  if (name == "scheduler" || name == "protocol" || find_resource_section(name) != nullptr ||
      (section != nullptr && table.items.size() <= section->most))
    return;
  refused_.insert(name);
  if (section == nullptr) refuse_table(name, table.at());
  refuse(table.at(), "there are more than " + std::to_string(section->most) + " [[" + name + "]]");
}

bool Builder::within_refused(const std::string& section) const {
  return std::ranges::any_of(refused_,
                             [&](const std::string& table) { return is_within(section, table); });
}

// The first entry of a table, for errors about the table as a whole.
Position Builder::first_of(const std::string& section) const {
  for (const Entry& entry : document_.entries)
    if (entry.section == section) return entry.at;
  const auto [name, index] = split_section(section);
  for (const WrittenTable& table : document_.tables)
    if (table.name == name && index < table.items.size()) return table.items[index];
  return {name_, 1, 1};
}

Position Builder::where_tasks_last() const {
  if (scenario_.protocols) return written_.where("client", "operation_time");
  for (const char* key : {"duration_scale", "file", "portion_time"})
    if (written_.find("workload", key) != nullptr) return written_.where("workload", key);
  return first_of("workload");
}

void Builder::choose_schedulers() {
  std::vector<std::string> names;
  if (scenario_.protocols) schedulers_ = agents::program::protocols();
  for (const agents::Scheduler& scheduler : schedulers_) names.emplace_back(scheduler.name);
  for (std::size_t i = 0; i < scenario_.schedulers.size(); ++i)
    objections_.attempt([&] { choose_scheduler(i, names); });
}

// `use` decides which options the other keys can be. A [[protocol]] without it is a program.
void Builder::choose_scheduler(std::size_t index, const std::vector<std::string>& names) {
  const std::string section = compared(index);
  const std::string kind = document_.compared();
  const Entry* use = written_.find(section, "use");
  if (use == nullptr && scenario_.protocols) {
    choose(scenario_.schedulers[index], agents::program_name, kind);
    return;
  }
  if (use == nullptr)
    refuse(first_of(section), "[[scheduler]] " + std::to_string(index + 1) +
                                  " lacks the key \"use\", the name of a scheduler");
  const std::string* word = use->values.front().text();
  if (word == nullptr) refuse(use->at, "\"use\" must be the name of a " + kind);
  const std::string near = nearest(*word, names);  // whose options are told with its name
  if (near != *word)
    objections_.attempt([&] {
      const bool overlay =
          kind == "scheduler" && (*word == "cyclon" || *word == "t-man" || *word == "gradient");
      refuse(use->at, "there is no " + kind + " \"" + *word + "\"" +
                          (overlay ? ", but use = \"overlay-only\" runs Cyclon and T-Man" : "") +
                          suggestion(*word, names));
    });
  choose(scenario_.schedulers[index], near, *word);
}

// Leaves the choice empty where the catalogue has no such scheduler.
void Builder::choose(SchedulerChoice& choice, std::string_view name, const std::string& label) {
  for (const agents::Scheduler& scheduler : schedulers_)
    if (scheduler.name == name) choice.scheduler = &scheduler;
  if (choice.scheduler == nullptr) return;
  choice.label = label;
  choice.options = choice.scheduler->defaults();
}

std::string Builder::compared(std::size_t index) const {
  return document_.compared() + "#" + std::to_string(index);
}

void Builder::assign(const Entry& entry) {
  const auto [name, index] = split_section(entry.section);
  if (name == "scheduler" || name == "protocol") {
    if (document_.count(name) == 0 && name != document_.compared())
      refuse(entry.at, "this scenario has no [[" + name + "]]");
    // A [[scheduler]] beside a [[protocol]] has been refused as a whole.
    if (name == document_.compared()) assign_scheduler(entry, index);
    return;
  }
  if (name.empty() && entry.key == "claims") {
    assign_claims(entry);
    return;
  }
  if (const Section* resources = find_resource_section(entry.section)) {
    assign_resource(*resources, entry, scenario_);
    return;
  }
  const Section* section = find_section(name);
  if (section == nullptr) refuse_table(entry.section, entry.at);
  if (section->repeated != (entry.section.find('#') != std::string::npos)) {
    refused_.insert(name);
    if (section->repeated && entry.layer > 0)
      refuse(entry.at, "say which [[" + name + "]], counted from 0: " + name + ".0." + entry.key);
    refuse(entry.at, section->repeated ? "[" + name + "] may repeat: write [[" + name + "]]"
                                       : "[[" + name + "]] stands once: write [" + name + "]");
  }
  const core::Setting* setting = section->find(entry.key);
  if (setting == nullptr)
    refuse(entry.at, "there is no key \"" + entry.key + "\"" +
                         (name.empty() ? " outside of tables" : " in [" + name + "]") +
                         suggestion(entry.key, section->names()));
  assign_setting(*setting, section->address(scenario_, index), entry);
  if (!section->repeated) scenario_.said.insert(name + "." + entry.key);
}

// Refuses an option from outside the file that names no scheduler.
void Builder::refuse_nameless(const Entry& entry) const {
  std::vector<std::string> options;
  for (const SchedulerChoice& choice : scenario_.schedulers) {
    if (choice.scheduler == nullptr) continue;
    bool has = entry.key == "use" || entry.key == "label";
    for (const core::Setting& setting : choice.scheduler->settings) {
      options.push_back(setting.name);
      has = has || setting.name == entry.key;
    }
    if (has)
      refuse(entry.at, "name the " + document_.compared() + ", as in " + document_.compared() +
                           "." + choice.label + "." + entry.key);
  }
  refuse(entry.at, "no " + document_.compared() + " of this scenario has an option \"" + entry.key +
                       "\"" + (options.empty() ? "" : suggestion(entry.key, options)));
}

void Builder::assign_scheduler(const Entry& entry, std::size_t index) {
  if (index >= scenario_.schedulers.size() || entry.section.find('#') == std::string::npos) {
    if (entry.layer > 0 && !scenario_.schedulers.empty()) refuse_nameless(entry);
    refuse(entry.at, document_.compared() + "s are a list: write [[" + document_.compared() + "]]");
  }
  SchedulerChoice& choice = scenario_.schedulers[index];
  if (choice.scheduler == nullptr) return;  // refused already
  if (entry.key == "use") return;
  if (entry.key == "label") {
    const std::string* label = entry.values.front().text();
    const auto wrong = [](char c) {
      return static_cast<unsigned char>(c) <= ' ' || c == '.' || c == 0x7f;
    };
    if (label == nullptr || label->empty() || std::ranges::any_of(*label, wrong) ||
        plain_text(*label) != *label)
      refuse(entry.at, "\"label\" must be a text without spaces, dots and control characters");
    if (label->size() > longest_label)
      refuse(entry.at, "\"label\" is longer than " + std::to_string(longest_label) + " bytes");
    choice.label = *label;
    return;
  }
  for (const core::Setting& setting : choice.scheduler->settings) {
    if (setting.name != entry.key) continue;
    assign_setting(setting, choice.scheduler->address(choice.options), entry);
    choice.said.insert(entry.key);
    return;
  }
  refuse_option(entry, *choice.scheduler);
}

// An option that a scheduler or a protocol does not have.
void Builder::refuse_option(const Entry& entry, const agents::Scheduler& scheduler) const {
  if (scheduler.name == agents::program_name) object_to_client_key(entry, scenario_.protocols);
  std::vector<std::string> names{"label", "use"};
  for (const core::Setting& setting : scheduler.settings) names.push_back(setting.name);
  const bool unnamed = scenario_.protocols && scheduler.name == agents::program_name;
  refuse(entry.at, (unnamed ? "[[protocol]] has no key \""
                            : "the " + document_.compared() + " \"" + std::string(scheduler.name) +
                                  "\" has no option \"") +
                       entry.key + "\"" + suggestion(entry.key, names));
}

void Builder::assign_claims(const Entry& entry) {
  for (const Value& value : entry.values)
    objections_.attempt([&] {
      const std::string* text = value.text();
      const auto claim = text == nullptr ? std::nullopt : parse_claim(*text);
      if (!claim || plain_text(*text) != *text)
        refuse(value.at,
               "a claim reads \"LABEL.METRIC < LABEL.METRIC\", with <, <=, > or >=, and on the "
               "right a number, or a factor and a margin too, as in \"1.1 * LABEL.METRIC + 0.5\"; "
               "not " +
                   toml_text(value.scalar));
      scenario_.claims.push_back(*claim);
      claims_at_.push_back(value.at);
    });
}

void Builder::check_conditions() {
  for (const Entry& entry : document_.entries)
    if (const Section* section = find_section(split_section(entry.section).name))
      objections_.attempt([&] { check_condition(*section, entry); });
}

// A key without effect is an error, unless a later layer chose the kind that makes it so. The key
// that decides may itself be without effect: the whole chain counts.
void Builder::check_condition(const Section& section, const Entry& entry) {
  for (const Condition* condition = section.condition(entry.key); condition != nullptr;
       condition = section.condition(condition->on))
    check_condition(section, entry, *condition);
}

void Builder::check_condition(const Section& section, const Entry& entry,
                              const Condition& condition) {
  const core::Setting* deciding = section.find(condition.on);
  const auto chosen = std::get<std::string>(
      deciding->read(section.address(scenario_, split_section(entry.section).index)));
  if (std::ranges::find(condition.words, chosen) != condition.words.end()) return;
  const Entry* chooser = written_.find(entry.section, condition.on);
  if (chooser != nullptr && chooser->layer > entry.layer) return;
  std::string words;
  for (const std::string& word : condition.words) words += (words.empty() ? "" : " or ") + word;
  refuse(entry.at, "\"" + entry.key + "\" has no effect while \"" + condition.on + "\" is \"" +
                       chosen + "\": it belongs to " + words);
}

void Builder::check_labels() {
  if (scenario_.schedulers.empty())
    refuse({name_, 1, 1},
           "there is no [[scheduler]] and no [[protocol]]: a scenario needs at least one of them");
  std::set<std::string> labels;
  for (std::size_t i = 0; i < scenario_.schedulers.size(); ++i)
    if (!labels.insert(scenario_.schedulers[i].label).second) {
      const std::string section = compared(i);
      const Entry* label = written_.find(section, "label");
      if (label == nullptr) label = written_.find(section, "use");
      refuse(label != nullptr ? label->at : first_of(section),
             "two " + document_.compared() + "s have the label \"" + scenario_.schedulers[i].label +
                 "\": give one another \"label\"");
    }
}

void Builder::check_claim(const Claim& claim, const Position& at) const {
  std::vector<std::string> labels;
  for (const SchedulerChoice& choice : scenario_.schedulers) labels.push_back(choice.label);
  const auto check = [&](const Operand& operand) {
    if (std::ranges::find(labels, operand.label) == labels.end())
      refuse(at, "a claim names \"" + operand.label + "\", which is no " + document_.compared() +
                     " of this scenario" + suggestion(operand.label, labels));
    if (find_metric(operand.metric) == nullptr) refuse(at, no_metric(operand.metric));
  };
  check(claim.left);
  if (const auto* right = std::get_if<Operand>(&claim.right)) check(*right);
}

// Files are relative to the scenario file; they must be named where they are needed, and exist.
void Builder::check_files() {
  const auto need = [this](bool needed, std::string& file, const std::string& section,
                           const std::string& chooser) {
    if (!needed) return;
    if (file.empty())
      refuse(written_.where(section, chooser), "[" + section + "] needs the key \"file\" for this");
    const bool of_jobs = section == "workload";
    if (file != "-" || !of_jobs) resolve(file);
    if (of_jobs && comes_live(scenario_.workload)) return;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
      refuse(written_.where(section, "file"), "there is no file \"" + file + "\"");
  };
  need(graph_model(scenario_.graph.kind).has("file"), scenario_.graph.file, "graph", "kind");
  need(workload_model(scenario_.workload.kind).has("file"), scenario_.workload.file, "workload",
       "kind");
  need(latency_model(scenario_.network.latency).has("file"), scenario_.network.file, "network",
       "latency");
  LifetimesSection& lifetimes = scenario_.faults.lifetimes;
  need(lifetime_model(lifetimes.distribution).has("file"), lifetimes.file, "faults.lifetimes",
       "distribution");
  for (const auto& [key, file] : work_files(scenario_.workload)) {
    std::error_code error;
    if (file->empty()) continue;
    resolve(*file);
    if (!std::filesystem::is_regular_file(*file, error))
      refuse(written_.where("workload", key), "there is no file \"" + *file + "\"");
  }
  for (const auto& [key, folder] : work_folders(scenario_.workload))
    resolve_folder(*folder, "workload", key);
  for (std::size_t i = 0; i < scenario_.schedulers.size(); ++i)
    resolve_folders(scenario_.schedulers[i], compared(i));
  check_work(written_, scenario_);
  if (!scenario_.costs.empty()) resolve(scenario_.costs);
  apply_costs(written_, scenario_);
}

void Builder::resolve_folder(std::string& folder, const std::string& section,
                             const std::string& key) const {
  std::error_code error;
  resolve(folder);
  if (folder.empty()) folder = ".";
  folder = std::filesystem::absolute(folder).lexically_normal().string();
  if (!std::filesystem::is_directory(folder, error))
    refuse(written_.where(section, key), "there is no directory \"" + folder + "\"");
}

void Builder::resolve_folders(SchedulerChoice& choice, const std::string& section) const {
  if (choice.scheduler == nullptr) return;  // objected to already
  void* options = choice.scheduler->address(choice.options);
  for (const core::Setting& setting : choice.scheduler->settings) {
    if (setting.name != "directory" && setting.name != "log") continue;
    std::string folder = std::get<std::string>(setting.read(options));
    if (setting.name == "log" && folder.empty()) continue;
    resolve_folder(folder, section, setting.name);
    setting.assign(options, folder);
  }
}

void Builder::resolve(std::string& file) const {
  // An absolute path replaces the folder of the scenario.
  file = (std::filesystem::path(name_).parent_path() / file).lexically_normal().string();
}

}  // namespace rhizome::scenarios
