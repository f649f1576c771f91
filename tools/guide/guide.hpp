// What keys, metrics and commands mean, for documents and people.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::tools {

// The lists of all keys of a scenario and a user's first scenario, both made from the table of
// keys, so that neither can become out of date.
// How wide all guides are, for any terminal.
inline constexpr std::size_t guide_columns = 80;

struct KeyGuide {
  std::string name;
  std::string value{};      // the default, as a scenario writes it; empty: none
  std::string range;        // "a whole number from 2 to 1000"
  std::string meaning;      // whole sentences
  std::string source{};     // paper and section, or "our choice"; may be empty
  std::string condition{};  // "Only when kind is uniform."; empty: always
};

struct SectionGuide {
  std::string name;  // "peers", "scheduler.organic-grid"; "top" for what stands outside of tables
  std::string heading;  // "[peers]", "[[scheduler]]"; empty outside of tables
  std::string about;    // one sentence
  std::vector<KeyGuide> keys{};
};

// Every section with every key, in the order of the documentation.
[[nodiscard]] std::vector<SectionGuide> guide_to_keys(
    std::span<const agents::Scheduler> schedulers = agents::catalogue());

// The section of that name and those within it: all schedulers for "scheduler". Where a key has the
// name, alone or after that of its section, the sections that have it, with nothing but it. Throws
// UsageError with the nearest name and all names when there is none.
[[nodiscard]] std::vector<SectionGuide> sections_within(const std::vector<SectionGuide>& all,
                                                        const std::string& name);

// For people, as a table in Markdown, and for programs.
[[nodiscard]] std::string text_of(const SectionGuide& section);
[[nodiscard]] std::string markdown_of(const SectionGuide& section);
[[nodiscard]] scenarios::Json data_of(const SectionGuide& section);

// What there is to say of every metric, for people.
// Name, unit, which way is better and definition.
[[nodiscard]] std::string text_of(const scenarios::Metric& metric);

// The same as a row of a table in Markdown: name, unit, which way is better, definition.
[[nodiscard]] std::string markdown_row_of(const scenarios::Metric& metric);

// The same for programs.
[[nodiscard]] scenarios::Json data_of(const scenarios::Metric& metric);

// The metric of that name. Throws UsageError with the nearest name when there is none.
[[nodiscard]] const scenarios::Metric& metric_called(const std::string& name);

// The manual page of the command, made from the table of commands as the help is.
// For man(1): roff with its macros "man".
[[nodiscard]] std::string manual_page();

// The first scenario of a new user: a small comparison of two schedulers, in which every key is
// explained by the table of keys.
// A valid scenario file of seconds in virtual time.
[[nodiscard]] std::string starter_scenario();

}  // namespace rhizome::tools
