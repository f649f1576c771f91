// Places: the names of a study's cells in claims, such as "peers.count=100 workload.jobs=800".
#pragma once

#include <span>
#include <string>

#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/entry.hpp"

namespace rhizome::tools {

// The schedulers that the claims and figures of the result name; none if a figure draws the whole
// study.
[[nodiscard]] std::vector<std::string> labels_of(const Reproduction& result);

// The name of a cell: its assignments, with texts unquoted.
[[nodiscard]] std::string place_of(const Identity& identity);

[[nodiscard]] std::string place_of(const Cell& cell);

// Whether the claim applies to the cell: the cell matches one of `where`, or `where` is empty, and
// the cell matches none of `except`.
[[nodiscard]] bool is_meant(const std::string& place, const PublishedClaim& claim);

// Whether the place has every assignment of `where`.
[[nodiscard]] bool lies_in(const std::string& place, const std::string& where);

// Throws InputError for a claim or a figure that names a cell which the study does not have: it
// would never be judged. Points of laws must have been computed before.
void check_places(const Reproduction& result, std::span<const Cell> study);

// Fills in what laws say: the points of each [[points]] that names one, and where the cells of a
// figure over the load are drawn.
// `study` are the cells of the result's study, not empty. Throws InputError with the position of a
// law that does not fit them.
void apply_laws(Reproduction& result, std::span<const Cell> study);

}  // namespace rhizome::tools
