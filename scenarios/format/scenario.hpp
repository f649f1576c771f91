// A scenario: everything that an experiment is, as a value. Made by the parser, const from then on.
#pragma once

#include <any>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/catalogue.hpp"
#include "scenarios/format/claim.hpp"
#include "scenarios/format/position.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// [engine]: what performs it.
struct EngineSection {
  core::EngineId kind{};
  double time_scale = 1;
  Duration time_limit = std::chrono::hours(1);
  Duration grace = std::chrono::seconds(10);
  Duration lag_tolerance{0};
  Duration sample_every = std::chrono::milliseconds(100);
  bool log_messages = false;
  bool log_hops = false;
  Duration wake_up{0};
  Duration handling{0};
  std::uint32_t cores = 0;
  std::uint32_t at_once = 0;
  std::uint32_t machines = 1;
};

// [run]: how often, and how long if not until all is done.
struct RunSection {
  std::uint64_t seed = 1;
  std::uint32_t repetitions = 5;
  std::uint32_t first = 1;  // counted from 1, as users read it
  Duration duration{0};
  double confidence = 0.95;
  [[nodiscard]] std::uint32_t left_out() const { return first - 1; }  // repetitions
};

// [[scheduler]]: one of those compared.
struct SchedulerChoice {
  const agents::Scheduler* scheduler = nullptr;
  std::string label;
  std::any options;
  std::set<std::string> said{};  // the keys of options that the scenario says
};

// A time that has no effect after the limit of a run.
struct TimedKey {
  std::string key;
  Duration at{0};
  Position where;
};

struct Scenario : WorldSections {
  std::string name;
  std::string description;
  std::string costs;  // a file of what was measured
  EngineSection engine;
  RunSection run;
  std::set<std::string> said;  // the keys of tables that stand once, as "engine.grace"
  std::vector<SchedulerChoice> schedulers;
  std::vector<Claim> claims;
  std::vector<std::string> claims_left_out;  // they name schedulers that were not asked for
  // Where it says what tasks need, by measure: cpus, memory or a name. For messages.
  std::vector<std::pair<std::string, Position>> needs;
  // Those that can be checked only once the workload tells the limit.
  std::vector<TimedKey> timed;
  Position lasting;  // and where, how long they take: the scale, the file, or the time itself
};

// The keys that may name a file, and what they name; nothing where they do not.
[[nodiscard]] std::vector<std::pair<std::string, std::string*>> files_of(Scenario& of);

// One cell of a sweep: which values were chosen where lists stood, and what came of it.
struct Cell {
  std::vector<std::pair<std::string, std::string>>
      assignments;  // key path and value, as in the file
  Scenario scenario;
};

}  // namespace rhizome::scenarios
