#include "scenarios/format/schema.hpp"

#include <limits>

#include "agents/program/protocols.hpp"
#include "agents/schedulers.hpp"
#include "scenarios/format/document.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/resource_keys.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/format/value.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::scenarios {

namespace {

using core::Setting;
using core::SettingKind;

Json json_value(const Scalar& scalar) {
  return std::visit([](const auto& value) { return Json(value); }, scalar);
}

template <class Table>
std::string sentence(const Table& table, const Setting& setting) {
  std::string text = meaning_of(table, setting);
  if (!setting.doc.source.empty()) text += " Source: " + std::string(setting.doc.source) + ".";
  return text;
}

Json scalar_schema(const Setting& setting) {
  Json schema;
  switch (setting.kind) {
    case SettingKind::boolean:
      schema["type"] = "boolean";
      break;
    case SettingKind::integer:
      schema["type"] = "integer";
      break;
    case SettingKind::real:
      schema["type"] = "number";
      break;
    case SettingKind::text:
      schema["type"] = "string";
      break;
    case SettingKind::duration:
      schema["type"] = "string";
      schema["pattern"] = "^-?[0-9]+(\\.[0-9]+)?(ns|us|ms|s|min|h)$";
      break;
    case SettingKind::rate:
      schema["type"] = "string";
      schema["pattern"] = "^[0-9]+(\\.[0-9]+)?(bit|kbit|Mbit|Gbit)/s$";
      break;
    case SettingKind::choice:
      schema["enum"] = setting.choices;
      break;
  }
  const bool number = setting.kind == SettingKind::integer || setting.kind == SettingKind::real;
  if (number && setting.doc.least != std::numeric_limits<double>::lowest())
    schema["minimum"] = setting.doc.least;
  if (number && setting.doc.most != std::numeric_limits<double>::max())
    schema["maximum"] = setting.doc.most;
  return schema;
}

// The schema of a key: a scalar, or a list of scalars, which is a sweep.
template <class Table>
Json property(const Table& table, const Setting& setting, const void* defaults) {
  const Json scalar = scalar_schema(setting);
  Json schema;
  schema["description"] = sentence(table, setting);
  if (defaults != nullptr) schema["default"] = json_value(scalar_of(setting, defaults));
  schema["anyOf"] = {scalar, {{"type", "array"}, {"items", scalar}, {"minItems", 1}}};
  return schema;
}

Json object(const std::string& about) {
  return {{"type", "object"},
          {"description", about},
          {"additionalProperties", false},
          {"properties", Json::object()}};
}

Json section_schema(const Section& section, Scenario& defaults) {
  Json schema = object(section.about);
  for (const Setting& setting : section.settings)
    schema["properties"][setting.name] = property(section, setting, section.address(defaults, 0));
  return schema;
}

// The keys of one scheduler or protocol.
Json item_schema(const agents::Scheduler& scheduler, std::string_view about,
                 std::string_view label) {
  Json schema = object(std::string(about));
  std::any options = scheduler.defaults();
  schema["properties"]["label"] = {{"type", "string"}, {"description", std::string(label)}};
  for (const Setting& setting : scheduler.settings)
    schema["properties"][setting.name] = property(scheduler, setting, scheduler.address(options));
  return schema;
}

Json scheduler_schema(const agents::Scheduler& scheduler) {
  Json schema = item_schema(scheduler, scheduler.summary, label_meaning);
  schema["properties"]["use"] = {{"const", std::string(scheduler.name)},
                                 {"description", std::string(use_meaning)}};
  schema["required"] = {"use"};
  return schema;
}

// Without `use` it is a program.
Json protocol_schema(const agents::Scheduler& protocol) {
  const bool program = protocol.name == agents::program_name;
  Json schema =
      item_schema(protocol, program ? protocol_meaning : protocol.summary, protocol_label_meaning);
  schema["properties"]["use"] = {{"const", std::string(protocol.name)},
                                 {"description", std::string(protocol_use_meaning)}};
  schema["required"] = {program ? "command" : "use"};
  return schema;
}

// The keys of such a table are names of the scenario's own.
Json resources_schema(const Section& section, Scenario& defaults) {
  Json schema = object(section.about);
  for (const Setting& setting : section.settings)
    schema["patternProperties"][resource_key(setting, "^[a-z0-9][a-z0-9_-]*") + "$"] =
        property(section, setting, section.address(defaults, 0));
  return schema;
}

// "network.partition" belongs into the properties of "network".
void place(Json& root, const Section& section, Json schema) {
  const std::size_t dot = section.name.find('.');
  Json& at = dot == std::string::npos
                 ? root["properties"]
                 : root["properties"][section.name.substr(0, dot)]["properties"];
  const std::string key = dot == std::string::npos ? section.name : section.name.substr(dot + 1);
  if (section.repeated) {
    at[key] = Json{{"type", "array"}};
    at[key]["items"] = std::move(schema);
  } else {
    at[key] = std::move(schema);
  }
}

}  // namespace

std::string scenario_schema(std::span<const agents::Scheduler> schedulers) {
  Json root = object("A scenario of Rhizome. A list where a value stands spans the matrix.");
  root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  root["title"] = "Rhizome scenario";
  Scenario defaults = scenario_with_items();
  for (const Section& section : sections()) {
    Json schema = section_schema(section, defaults);
    if (section.name.empty()) {
      root["properties"] = schema["properties"];
    } else {
      place(root, section, std::move(schema));
    }
  }
  for (const Section& section : resource_sections())
    place(root, section, resources_schema(section, defaults));
  root["properties"]["claims"] = {{"type", "array"},
                                  {"description", std::string(claims_meaning)},
                                  {"items", {{"type", "string"}}}};
  Json kinds = Json::array();
  for (const agents::Scheduler& scheduler : schedulers)
    kinds.push_back(scheduler_schema(scheduler));
  root["properties"]["scheduler"] = {{"type", "array"}, {"minItems", 1}};
  root["properties"]["scheduler"]["items"]["oneOf"] = std::move(kinds);
  Json protocols = Json::array();
  for (const agents::Scheduler& protocol : agents::program::protocols())
    protocols.push_back(protocol_schema(protocol));
  root["properties"]["protocol"] = {{"type", "array"}, {"minItems", 1}};
  root["properties"]["protocol"]["items"]["oneOf"] = std::move(protocols);
  root["properties"]["client"]["required"] = {"workload"};
  root["oneOf"] = {Json{{"required", {"scheduler"}}}, Json{{"required", {"protocol", "client"}}}};
  return text_of(root);
}

}  // namespace rhizome::scenarios
