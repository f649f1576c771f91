// Laws of queueing theory by name, which compute points of a figure that would otherwise be typed
// in. The formulas are those of scenarios/theory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/queues.hpp"

namespace rhizome::tools {

// The parameters of a study's cell that a law uses.
struct QueueSystem {
  double load = 0;            // arrivals over capacity, below 1
  std::uint32_t servers = 1;  // peers of one slot
  std::uint32_t choices = 1;  // peers probed for each task
  double service = 1;         // mean, in s
  JobSizes sizes{};           // of mean 1
  std::string_view discipline = "fcfs";
};

struct Law {
  std::string_view name;                   // "mm1"
  bool chooses;                            // depends on the number of choices
  bool general;                            // for any durations, and several disciplines
  double (*response)(const QueueSystem&);  // mean, in mean service times
};

[[nodiscard]] std::span<const Law> laws();
// Null if no law has that name.
[[nodiscard]] const Law* find_law(const std::string& name);

// Laws speak of mean_response and, less the service, of mean_queueing.
[[nodiscard]] bool covers(const std::string& metric);
// The metric in s; `covers` must hold.
[[nodiscard]] double expected(const Law& law, const std::string& metric, const QueueSystem& system);

// The parameters of a study's cell for a law, with the probes of the scheduler `label`. Throws
// InputError at `at` for another kind of system: arrivals that are not exponential, durations or a
// discipline that the law does not cover, peers that differ, delays or losses, a load of 1 or more,
// or no such scheduler.
[[nodiscard]] QueueSystem system_of(const Scenario& scenario, const Law& law,
                                    const std::string& label, const Position& at);

}  // namespace rhizome::tools
