#include "test/fuzz/protocol/writer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scenarios/format/keys.hpp"

namespace rhizome::fuzz {

namespace {

using core::Setting;
using core::SettingKind;
using scenarios::Section;

// The section without the number of an item of a list of tables.
std::string plain(const std::string& section) { return section.substr(0, section.find('#')); }

const Section& section_of(const std::string& name) {
  const Section* section = scenarios::find_section(plain(name));
  if (section == nullptr) throw std::logic_error("there is no section " + name);
  return *section;
}

const Setting& setting_of(const std::string& section, const std::string& key) {
  const Setting* setting = section_of(section).find(key);
  if (setting == nullptr) throw std::logic_error("there is no key " + section + "." + key);
  return *setting;
}

std::string default_word(const std::string& section, const std::string& key) {
  scenarios::Scenario defaults;
  const Section& table = section_of(section);
  if (table.repeated) table.resize(defaults, 1);
  return std::get<std::string>(setting_of(section, key).read(table.address(defaults, 0)));
}

}  // namespace

void DraftWriter::set(const std::string& section, const std::string& key, std::string value) {
  leave(section, key);
  if (has_effect(section, key)) assign(draft_, section, key, std::move(value));
}

void DraftWriter::maybe(double probability, const std::string& section, const std::string& key,
                        std::string value) {
  leave(section, key);
  if (dice_.chance(probability)) set(section, key, std::move(value));
}

void DraftWriter::leave(const std::string& section, const std::string& key) {
  static_cast<void>(setting_of(section, key));
  known_.insert(plain(section) + "." + key);
}

void DraftWriter::take_back(const std::string& section, const std::string& key) {
  std::erase_if(draft_, [&](const Assignment& each) {
    return each.section == section && (key.empty() || each.key == key);
  });
}

void DraftWriter::set_resource(const std::string& section, const std::string& key,
                               std::string value) {
  assign(draft_, section, key, std::move(value));
}

void DraftWriter::set_option(const std::string& key, std::string value) {
  assign(draft_, "scheduler#0", key, std::move(value));
}

void DraftWriter::draw_unknown(const std::string& name) {
  scenarios::Scenario defaults;
  const Section& section = section_of(name);
  for (const Setting& setting : section.settings) {
    if (known_.contains(name + "." + setting.name) || setting.kind == SettingKind::text) continue;
    maybe(0.1, name, setting.name,
          setting.kind == SettingKind::choice
              ? word(name, setting.name)
              : near_default(setting, section.address(defaults, 0)));
  }
}

std::string DraftWriter::word(const std::string& section, const std::string& key) {
  std::vector<std::string> words = setting_of(section, key).choices;
  for (const auto& condition : section_of(section).conditions)
    if (condition.on == key && setting_of(section, condition.key).kind == SettingKind::text)
      std::erase_if(words, [&](const std::string& each) {
        return std::find(condition.words.begin(), condition.words.end(), each) !=
               condition.words.end();
      });
  if (key == "latency") std::erase(words, "real");  // a world of one process has no real latency
  return in_quotes(dice_.one_of(words));
}

std::string DraftWriter::whole(std::int64_t low, std::int64_t high) {
  return std::to_string(dice_.between(low, high));
}

std::string DraftWriter::near_default_or_least(const Setting& setting, const void* object) {
  const bool least = setting.kind == SettingKind::real && dice_.chance(0.2);
  return least ? toml(setting.doc.least) : near_default(setting, object);
}

std::string DraftWriter::near_default(const Setting& setting, const void* object) {
  const core::SettingValue now = setting.read(object);
  const double factor = dice_.spread(0.25, 4);
  const auto bounded = [&](double value) {
    return std::clamp(value, setting.doc.least, setting.doc.most);
  };
  switch (setting.kind) {
    case SettingKind::boolean:
      return dice_.chance(0.5) ? "true" : "false";
    case SettingKind::choice:
      return in_quotes(dice_.one_of(setting.choices));
    case SettingKind::integer: {
      const auto value = static_cast<double>(std::get<std::int64_t>(now));
      const auto little = static_cast<double>(dice_.between(0, 8));
      return std::to_string(std::lround(bounded(value == 0 ? little : value * factor)));
    }
    case SettingKind::real: {
      const auto value = std::get<double>(now);
      return toml(bounded(value == 0 ? dice_.uniform(0, 1) : value * factor));
    }
    case SettingKind::duration: {
      const double value = core::seconds(std::get<core::Duration>(now));
      return toml_duration(bounded(value == 0 ? dice_.spread(1e-3, 1) : value * factor));
    }
    case SettingKind::rate: {
      // Where it is nothing, so much that queues stay shorter than any time-out.
      const auto value = static_cast<double>(std::get<core::Rate>(now).bits_per_second);
      const double bits = bounded(value == 0 ? dice_.spread(2e6, 1e9) : value * factor);
      return in_quotes(std::to_string(std::lround(bits)) + "bit/s");
    }
    case SettingKind::text:
      break;
  }
  return {};
}

bool DraftWriter::has_effect(const std::string& section, const std::string& key) const {
  const auto* condition = section_of(section).condition(key);
  if (condition == nullptr) return true;
  std::string word(value_of(draft_, section, condition->on));
  if (word.empty()) word = in_quotes(default_word(section, condition->on));
  return std::any_of(condition->words.begin(), condition->words.end(),
                     [&](const std::string& each) { return word == in_quotes(each); }) &&
         has_effect(section, condition->on);
}

}  // namespace rhizome::fuzz
