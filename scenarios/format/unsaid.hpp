// Settings that a scenario leaves unset and that follow its workload and network: the times of
// schedulers and of a run, whose defaults are seconds and must also suit months. A value that is
// set is kept.
#pragma once

#include <string>
#include <string_view>

#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// How a key follows them while it is unsaid, in whole sentences; empty where it does not.
[[nodiscard]] std::string_view rule_of_unsaid(const agents::Scheduler& scheduler,
                                              const core::Setting& setting);
[[nodiscard]] std::string_view rule_of_unsaid(const Section& section, const core::Setting& setting);

// The meaning of a key, with how it follows the workload.
template <class Table>
[[nodiscard]] std::string meaning_of(const Table& table, const core::Setting& setting) {
  const std::string_view rule = rule_of_unsaid(table, setting);
  return std::string(setting.doc.meaning) + (rule.empty() ? "" : " ") + std::string(rule);
}

// Whether only the workload will tell after which time a run is given up.
[[nodiscard]] bool limit_follows(const Scenario& scenario);

// Whether no scheduler of the scenario moves work to peers.
[[nodiscard]] bool measures_overlays_alone(const Scenario& scenario);

// The power of all peers together, in peers of one slot and speed 1.
[[nodiscard]] double power_of(const agents::World& world);

// Whether at that time less than a hundredth of the shortest run that does all work has passed, so
// that faults up to then strike when hardly any work is done.
[[nodiscard]] bool hardly_begun(core::Duration at, const agents::World& world);

// The same with all that is unsaid as this world's workload has it.
[[nodiscard]] Scenario complete(Scenario scenario, const agents::World& world);

// "time-outs that are not set are 58.6 times as long as by default: a task takes 19.5min on
// average"; empty where they are not.
[[nodiscard]] std::string remark_on_pace(const agents::World& world);

}  // namespace rhizome::scenarios
