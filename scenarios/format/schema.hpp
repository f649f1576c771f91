// The keys of a scenario for editors, made from the table of keys.
#pragma once

#include <span>
#include <string>

#include "agents/scheduler.hpp"

namespace rhizome::scenarios {

// A JSON Schema (draft 2020-12) of scenario files, for editors that understand it with TOML.
[[nodiscard]] std::string scenario_schema(
    std::span<const agents::Scheduler> schedulers = agents::catalogue());

}  // namespace rhizome::scenarios
