// [peers.resources] and [workload.resources]: tables whose keys are names that the scenario
// chooses, each with the amount that peers have, or tasks need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/document.hpp"
#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

// Like sections(), with keys as they are documented: NAME stands for any. Item i is the resource
// i of the scenario, of which there are `count`.
[[nodiscard]] const std::vector<Section>& resource_sections();
[[nodiscard]] const Section* find_resource_section(std::string_view name);

// "NAME_max" for the resource "gpu": "gpu_max".
[[nodiscard]] std::string resource_key(const core::Setting& setting, const std::string& resource);

// Gives the scenario the resources that the document names. Throws InputError for invalid names,
// and for too many.
void name_resources(const Document& document, Scenario& scenario);

// Assigns an entry of one of these tables, once they are named. Throws InputError for a wrong type
// or a value out of bounds.
void assign_resource(const Section& section, const Entry& entry, Scenario& scenario);

// Throws InputError at a resource that peers have and no task needs, or the other way round.
void check_resources(const Document& document, const Scenario& scenario);

// Records where the document sets the needs of tasks.
void note_needs(const Document& document, Scenario& scenario);

// Whether the scenario, and not a trace, sets the needs of tasks.
[[nodiscard]] bool has_own_needs(const Scenario& scenario);

}  // namespace rhizome::scenarios
