// The table of keys: the single source of parsing, error messages, documentation and the schema.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/peer/setting.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// A key that means something only while another key of its section has one of some words.
struct Condition {
  std::string key;
  std::string on;                  // the deciding key
  std::vector<std::string> words;  // that it must have
};

// One table of a scenario file.
struct Section {
  std::string name;       // "workload", "network.partition"; "" for the top
  std::string about;      // one sentence
  bool repeated = false;  // [[name]]: may stand several times
  std::vector<core::Setting> settings;
  std::vector<Condition> conditions;
  // The options struct that the settings assign to: of a scenario, or of item i of a repeated
  // table.
  std::function<void*(Scenario&, std::size_t i)> address;
  // Of a repeated table: makes room for that many items, and counts them.
  std::function<void(Scenario&, std::size_t size)> resize{};
  std::function<std::size_t(const Scenario&)> count{};

  [[nodiscard]] const core::Setting* find(const std::string& key) const;
  [[nodiscard]] const Condition* condition(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

// All sections but [[scheduler]], whose keys are those of the schedulers.
[[nodiscard]] const std::vector<Section>& sections();
[[nodiscard]] const Section* find_section(const std::string& name);

}  // namespace rhizome::scenarios
