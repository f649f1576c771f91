// Settings that must be equal in all processes of a run, so that they make the same world.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/mesh/process_descriptor.hpp"
#include "scenarios/experiment/prepared.hpp"

namespace rhizome::scenarios {

// Every key of the scenario, with the values of all cells together, and each file that is read.
[[nodiscard]] std::vector<core::Subject> subjects_of(std::span<const Cell> cells);

// The keys of an effective scenario, or of several behind each other, as "workload.jobs", in their
// order: one whose values are equal has an equal fingerprint.
[[nodiscard]] std::vector<core::Subject> keys_of(std::string_view toml);

}  // namespace rhizome::scenarios
