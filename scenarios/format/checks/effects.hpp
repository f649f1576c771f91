// Settings that other settings leave without effect, beyond the words of a kind: they are refused,
// since whoever wrote one meant something by it.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Throws InputError at the key that has none. `name` is the scenario's file.
void check_effects(const Document& document, const std::string& name, const Scenario& scenario);

// Whether a server or a scheduler of it orders or places tasks by their sizes.
[[nodiscard]] bool compares_sizes(const Scenario& scenario);

// Refuses a graph or a matrix of delays with more hosts than there are peers, as the others would
// be left out. The files must exist; throws what reading them throws.
void check_hosts(const Document& document, const std::string& name, const Scenario& scenario);

// Refuses what the file of a workload does not go with, as a formula of columns that it has not.
// The file must exist; throws what reading it throws.
void check_table(const Document& document, const std::string& name, const Scenario& scenario);

}  // namespace rhizome::scenarios
