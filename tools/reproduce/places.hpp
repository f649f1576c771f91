// Places: the cells of a study as claims name them, "peers.count=100 workload.jobs=800".
#pragma once

#include <span>
#include <string>

#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/entry.hpp"

namespace rhizome::tools {

// The schedulers that its claims and figures name; none where a figure draws all of its study.
[[nodiscard]] std::vector<std::string> labels_of(const Reproduction& result);

// What the cell is called by what was chosen for it; texts stand bare.
[[nodiscard]] std::string place_of(const Identity& identity);

[[nodiscard]] std::string place_of(const Cell& cell);

// Whether the claim speaks of the cell: one of its `where`, or any where there are none, and none
// of its `except`.
[[nodiscard]] bool is_meant(const std::string& place, const PublishedClaim& claim);

// Whether every assignment of `where` is one of that place.
[[nodiscard]] bool lies_in(const std::string& place, const std::string& where);

// Throws InputError for a claim or a figure that speaks of a cell which the study has not: it would
// be judged nowhere. Points have their laws applied.
void check_places(const Reproduction& result, std::span<const Cell> study);

}  // namespace rhizome::tools
