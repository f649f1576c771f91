// A scenario: the complete description of an experiment, as a value. The parser makes it; it is
// const from then on.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/program/client_workload.hpp"
#include "agents/scheduler.hpp"
#include "core/engine/catalogue.hpp"
#include "scenarios/format/claim.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// [engine]: the engine that executes the runs.
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

// [run]: how often each scheduler runs, and for how long if not until all tasks are done.
struct RunSection {
  std::uint64_t seed = 1;
  std::uint32_t repetitions = 5;
  std::uint32_t first = 1;  // counted from 1, as users read it
  Duration duration{0};
  double confidence = 0.95;
  [[nodiscard]] std::uint32_t left_out() const { return first - 1; }  // repetitions
};

// [client]: the requests of clients to protocols; `rate` operations a second.
struct ClientSection {
  agents::program::Clients workload{};
  double rate = 100;
  ArrivalKind arrivals = ArrivalKind::constant;
  std::uint32_t operations = 200;
  Duration operation_time = std::chrono::milliseconds(1);
  Duration timeout = std::chrono::seconds(5);
  Duration settle = std::chrono::seconds(10);
};

// [[scheduler]] or [[protocol]]: one side of the comparison.
struct SchedulerChoice {
  const agents::Scheduler* scheduler = nullptr;
  std::string label;
  std::any options;
  std::set<std::string> said{};  // the keys of options that the scenario sets
};

// A key whose time has no effect if it is after the time limit of a run.
struct TimedKey {
  std::string key;
  Duration at{0};
  Position where;
};

struct Scenario : WorldSections {
  std::string name;
  std::string description;
  std::string costs;  // the file of measured costs
  EngineSection engine;
  RunSection run;
  ClientSection client;
  bool protocols = false;  // `schedulers` are programs in [[protocol]], which clients ask
  // The keys that the scenario sets in tables that occur once, such as "engine.grace".
  std::set<std::string> said;
  std::vector<SchedulerChoice> schedulers;
  std::vector<Claim> claims;
  // Claims left out because they name schedulers that the user did not select.
  std::vector<std::string> claims_left_out;
  // The places where the scenario sets the needs of tasks, by measure: cpus, memory or the name of
  // a resource. For error messages.
  std::vector<std::pair<std::string, Position>> needs;
  // The keys that can be checked only once the workload gives the time limit.
  std::vector<TimedKey> timed;
  // The key that decides how long tasks take: the scale, the file or the time itself.
  Position lasting;
};

// The keys that may name a file, each with the name of its file; empty where a key names none.
[[nodiscard]] std::vector<std::pair<std::string, std::string*>> files_of(Scenario& of);

// One cell of a sweep: the values that were chosen from the lists of the sweep, and the scenario
// that results.
struct Cell {
  std::vector<std::pair<std::string, std::string>>
      assignments;  // key path and value, as in the file
  Scenario scenario;
  std::shared_ptr<const std::string> text;  // of the file as it was read, without overrides
};

}  // namespace rhizome::scenarios
