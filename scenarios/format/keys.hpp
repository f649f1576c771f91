// The table of keys: the single source of parsing, error messages, documentation and the schema.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/setting.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// A key that means something only while another key of its section has one of some words.
struct Condition {
  std::string key;
  std::string on;                  // the deciding key
  std::vector<std::string> words;  // words of which it must have one
};

// One table of a scenario file.
struct Section {
  std::string name;           // "workload", "network.partition"; "" for the top
  std::string about;          // one sentence
  bool repeated = false;      // [[name]]: may stand several times
  std::size_t most = 10'000;  // of such tables
  std::vector<core::Setting> settings;
  std::vector<Condition> conditions{};
  // The options struct that the settings assign to: of a scenario, or of item i of a repeated
  // table.
  std::function<void*(Scenario&, std::size_t i)> address{};
  // For a repeated table: makes room for that many items, and counts them.
  std::function<void(Scenario&, std::size_t size)> resize{};
  std::function<std::size_t(const Scenario&)> count{};

  [[nodiscard]] const core::Setting* find(const std::string& key) const;
  [[nodiscard]] const Condition* condition(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

// All sections but [[scheduler]] and [[protocol]], whose keys are those of the schedulers.
[[nodiscard]] const std::vector<Section>& sections();
[[nodiscard]] const Section* find_section(const std::string& name);

// A scenario with one item in every repeated table and one resource, so that each section has
// defaults to read.
[[nodiscard]] Scenario scenario_with_items();

// The meanings of keys that are not settings.
inline constexpr std::string_view claims_meaning =
    "What must hold after the runs, as the exit status tells: \"LABEL.METRIC < LABEL.METRIC\", "
    "with "
    "<, <=, > or >=; on the right may stand a number in the unit of `rhizome list metrics`, or a "
    "factor and a margin too, as in \"1.1 * LABEL.METRIC + 0.5\".";
inline constexpr std::string_view use_meaning = "Which scheduler; it decides on the other keys.";
inline constexpr std::string_view label_meaning =
    "Its name in results, claims and on the command line, unique in the scenario; the word of use "
    "when absent.";
inline constexpr std::string_view protocol_meaning =
    "A service of peers that clients ask, in place of [[scheduler]].";
inline constexpr std::string_view protocol_label_meaning =
    "Its name in results, claims and on the command line, unique in the scenario; the word of use, "
    "or \"protocol\", when absent.";
inline constexpr std::string_view protocol_use_meaning =
    "A program of your own, or an overlay that is built in; it decides on the other keys.";

// Those of files of their own, which sections() contains.
[[nodiscard]] std::vector<Section> fault_sections();
[[nodiscard]] std::vector<Section> file_sections();
[[nodiscard]] std::vector<Section> network_sections();
[[nodiscard]] std::vector<Section> provision_sections();

}  // namespace rhizome::scenarios
