// Builds one scenario from a document in which every key has one value.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/keys.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/written.hpp"
#include "scenarios/text/objections.hpp"

namespace rhizome::scenarios {

// Assigns key by key, remembering the place of each for the later checks. All errors of single keys
// are reported at once, and errors of keys together once each is right.
class Builder {
 public:
  Builder(const Document& document, const std::string& name,
          std::span<const agents::Scheduler> schedulers);
  // Throws InputError. Entries must be single-valued, claims excepted.
  [[nodiscard]] Scenario build();

 private:
  void place_tables();
  void place_table(const WrittenTable& table);
  [[nodiscard]] bool within_refused(const std::string& section) const;
  void assign(const Entry& entry);
  void assign_claims(const Entry& entry);
  [[noreturn]] void refuse_nameless(const Entry& entry) const;
  [[noreturn]] void refuse_option(const Entry& entry, const agents::Scheduler& scheduler) const;
  void assign_scheduler(const Entry& entry, std::size_t index);
  void choose_scheduler(std::size_t index, const std::vector<std::string>& names);
  void choose_schedulers();
  void choose(SchedulerChoice& choice, std::string_view name, const std::string& label);
  // "scheduler#1" or "protocol#1".
  [[nodiscard]] std::string compared(std::size_t index) const;
  void check();
  void check_conditions();
  void check_condition(const Section& section, const Entry& entry);
  void check_condition(const Section& section, const Entry& entry, const Condition& condition);
  void check_labels();
  void check_claim(const Claim& claim, const Position& at) const;
  void check_files();
  void resolve(std::string& file) const;
  // Makes the path absolute. Refuses a folder that does not exist.
  void resolve_folder(std::string& folder, const std::string& section,
                      const std::string& key) const;
  // Resolves the settings "directory" and "log" of a scheduler.
  void resolve_folders(SchedulerChoice& choice, const std::string& section) const;
  [[nodiscard]] Position first_of(const std::string& section) const;
  [[nodiscard]] Position where_tasks_last() const;

  Document document_;  // with misspelt tables under the names that were meant
  const std::string& name_;
  const Written written_{document_, name_};
  std::span<const agents::Scheduler> schedulers_;
  Scenario scenario_;
  std::vector<Position> claims_at_;  // of each claim
  Objections objections_;
  std::set<std::string> refused_;  // tables without keys, each reported once
};

// "network.partition#1" -> {"network.partition", 1}.
struct SectionName {
  std::string name;
  std::size_t index = 0;
};
[[nodiscard]] SectionName split_section(const std::string& section);

}  // namespace rhizome::scenarios
