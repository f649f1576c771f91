#include "tools/guide/guide.hpp"

#include <fmt/ranges.h>

#include <limits>

#include "agents/program/protocols.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/resource_keys.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/quantity.hpp"
#include "tools/cli/command.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

using core::Setting;
using core::SettingKind;
using scenarios::Json;
using scenarios::Scenario;
using scenarios::Section;

namespace {

// A bound in the form in which a scenario has a value of that kind.
std::string bound_text(SettingKind kind, double bound) {
  if (kind == SettingKind::duration) return scenarios::duration_text(core::from_seconds(bound));
  if (kind == SettingKind::rate)
    return scenarios::rate_text(core::Rate{static_cast<std::int64_t>(bound)});
  return fmt::format("{:.10g}", bound);
}

std::string kind_word(SettingKind kind) {
  switch (kind) {
    case SettingKind::boolean:
      return "true or false";
    case SettingKind::integer:
      return "a whole number";
    case SettingKind::real:
      return "a number";
    case SettingKind::duration:
      return "a duration";
    case SettingKind::rate:
      return "a rate";
    case SettingKind::text:
    case SettingKind::choice:
      break;
  }
  return "a text";
}

std::string range_of(const Setting& setting) {
  if (setting.kind == SettingKind::choice)
    return fmt::format("one of \"{}\"", fmt::join(setting.choices, "\", \""));
  std::string text = kind_word(setting.kind);
  const bool below = setting.doc.least != std::numeric_limits<double>::lowest();
  const bool above = setting.doc.most != std::numeric_limits<double>::max();
  if (below) text += " from " + bound_text(setting.kind, setting.doc.least);
  if (above) text += (below ? " to " : " up to ") + bound_text(setting.kind, setting.doc.most);
  return text;
}

template <class Table>
KeyGuide guide_to(const Table& table, const Setting& setting, const void* defaults) {
  return {.name = setting.name,
          .value = scenarios::toml_text(scenarios::scalar_of(setting, defaults)),
          .range = range_of(setting),
          .meaning = scenarios::meaning_of(table, setting),
          .source = std::string(setting.doc.source)};
}

std::string heading_of(const Section& section) {
  if (section.name.empty()) return {};
  return section.repeated ? "[[" + section.name + "]]" : "[" + section.name + "]";
}

SectionGuide guide_to(const Section& section, Scenario& defaults) {
  SectionGuide guide{.name = section.name.empty() ? "top" : section.name,
                     .heading = heading_of(section),
                     .about = section.about};
  for (const Setting& setting : section.settings) {
    KeyGuide key = guide_to(section, setting, section.address(defaults, 0));
    if (const scenarios::Condition* condition = section.condition(setting.name))
      key.condition =
          fmt::format("Only when {} is {}.", condition->on, fmt::join(condition->words, " or "));
    guide.keys.push_back(std::move(key));
  }
  if (section.name.empty())
    guide.keys.push_back({.name = "claims",
                          .range = "a list of texts",
                          .meaning = std::string(scenarios::claims_meaning)});
  return guide;
}

// The keys that every [[scheduler]] or [[protocol]] has.
std::vector<KeyGuide> keys_of_all(std::span<const agents::Scheduler> all, std::string_view use,
                                  std::string_view label) {
  std::vector<std::string> names;
  for (const agents::Scheduler& one : all) names.emplace_back(one.name);
  return {{.name = "use",
           .value = "",
           .range = fmt::format("one of \"{}\"", fmt::join(names, "\", \"")),
           .meaning = std::string(use),
           .source = "",
           .condition = ""},
          {.name = "label",
           .value = "",
           .range = "a text without spaces and dots",
           .meaning = std::string(label),
           .source = "",
           .condition = ""}};
}

SectionGuide guide_to_scheduler(std::span<const agents::Scheduler> schedulers) {
  return {.name = "scheduler",
          .heading = "[[scheduler]]",
          .about = "One of those compared; a scenario needs at least one.",
          .keys = keys_of_all(schedulers, scenarios::use_meaning, scenarios::label_meaning)};
}

SectionGuide guide_to(const agents::Scheduler& scheduler, const std::string& kind) {
  SectionGuide guide{.name = kind + "." + std::string(scheduler.name),
                     .heading = "[[" + kind + "]]",
                     .about = "use = \"" + std::string(scheduler.name) +
                              "\": " + std::string(scheduler.summary) + "."};
  std::any options = scheduler.defaults();
  for (const Setting& setting : scheduler.settings)
    guide.keys.push_back(guide_to(scheduler, setting, scheduler.address(options)));
  return guide;
}

// The keys of every [[protocol]], with those of a program, which it is without "use".
SectionGuide guide_to_protocol(std::span<const agents::Scheduler> protocols) {
  SectionGuide guide = guide_to(protocols.front(), "protocol");
  guide.name = "protocol";
  guide.about = std::string(scenarios::protocol_meaning);
  const std::vector<KeyGuide> keys =
      keys_of_all(protocols, scenarios::protocol_use_meaning, scenarios::protocol_label_meaning);
  guide.keys.insert(guide.keys.begin(), keys.begin(), keys.end());
  return guide;
}

// The keys of that name, in any section: "claims", "count", "workload.jobs".
std::vector<SectionGuide> keys_called(const std::vector<SectionGuide>& all,
                                      const std::string& name) {
  std::vector<SectionGuide> found;
  for (SectionGuide section : all) {
    std::erase_if(section.keys, [&](const KeyGuide& key) {
      return key.name != name && section.name + "." + key.name != name;
    });
    if (!section.keys.empty()) found.push_back(std::move(section));
  }
  return found;
}

std::string text_of(const KeyGuide& key) {
  std::string text = "  " + key.name + (key.value.empty() ? "" : " = " + key.value) + "\n";
  std::string source = key.source.empty() ? "" : "Source: " + key.source;
  if (!source.empty() && !source.ends_with('.')) source += '.';
  for (const std::string& said : {key.meaning, "Takes " + key.range + ".", key.condition, source})
    text += paragraph(said, guide_columns, "      ");
  return text;
}

}  // namespace

std::vector<SectionGuide> guide_to_keys(std::span<const agents::Scheduler> schedulers) {
  Scenario defaults = scenarios::scenario_with_items();
  std::vector<SectionGuide> all;
  for (const Section& section : scenarios::sections()) all.push_back(guide_to(section, defaults));
  for (const Section& section : scenarios::resource_sections())
    all.push_back(guide_to(section, defaults));
  all.push_back(guide_to_scheduler(schedulers));
  for (const agents::Scheduler& scheduler : schedulers)
    all.push_back(guide_to(scheduler, "scheduler"));
  const std::span<const agents::Scheduler> protocols = agents::program::protocols();
  all.push_back(guide_to_protocol(protocols));
  for (const agents::Scheduler& built_in : protocols.subspan(1))
    all.push_back(guide_to(built_in, "protocol"));
  return all;
}

std::vector<SectionGuide> sections_within(const std::vector<SectionGuide>& all,
                                          const std::string& name) {
  std::vector<SectionGuide> found;
  std::vector<std::string> names;
  for (const SectionGuide& section : all) {
    names.push_back(section.name);
    // "dispatcher" is "scheduler.dispatcher".
    if (section.name == name || section.name.starts_with(name + ".") ||
        section.name.ends_with("." + name))
      found.push_back(section);
  }
  if (found.empty()) found = keys_called(all, name);
  if (!found.empty()) return found;
  const std::string near = scenarios::nearest(name, names);
  throw UsageError(fmt::format("a scenario has no section and no key \"{}\"; {}", name,
                               near.empty()
                                   ? fmt::format("its sections are {}", fmt::join(names, ", "))
                                   : "did you mean \"" + near + "\"?"));
}

std::string text_of(const SectionGuide& section) {
  const std::string heading = section.heading.empty() ? "(outside of tables)" : section.heading;
  std::string text = wrapped(heading + "  " + section.about, guide_columns, heading.size() + 2);
  for (const KeyGuide& key : section.keys) text += text_of(key);
  return text;
}

std::string markdown_of(const SectionGuide& section) {
  std::string text = "### " + section.name + "\n\n" + section.about + "\n";
  if (section.keys.empty()) return text;
  text += "\n" + markdown_head({"key", "default", "takes", "meaning"});
  for (const KeyGuide& key : section.keys) {
    const std::string condition = key.condition.empty() ? "" : " " + key.condition;
    const std::string source =
        key.source.empty() || key.source == "our choice" ? "" : " Source: " + key.source + ".";
    text += markdown_row({"`" + key.name + "`", key.value.empty() ? "" : "`" + key.value + "`",
                          key.range, key.meaning + condition + source});
  }
  return text;
}

Json data_of(const SectionGuide& section) {
  Json keys = Json::array();
  for (const KeyGuide& key : section.keys)
    keys.push_back({{"name", key.name},
                    {"default", key.value},
                    {"range", key.range},
                    {"meaning", key.meaning},
                    {"source", key.source},
                    {"condition", key.condition}});
  return {{"name", section.name},
          {"heading", section.heading},
          {"about", section.about},
          {"keys", keys}};
}

}  // namespace rhizome::tools
