// The essence of an experiment: all that its outcomes depend on, as text. Two machines do the same
// experiment if it is the same, wherever each keeps its files and however many runs it does at
// once.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mesh/process_descriptor.hpp"
#include "scenarios/experiment/prepared.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// The lines of the effective scenarios, cell by cell. Files below `home` are named relative to it;
// their contents are not read.
[[nodiscard]] std::vector<std::string> essence_of(std::span<const Cell> cells,
                                                  const std::filesystem::path& home);

// The first line in which they differ, in words for a message; nothing where they are the same.
[[nodiscard]] std::optional<std::string> difference(std::span<const std::string> one,
                                                    std::span<const std::string> other);

// Settings that must be equal in all processes of a run, so that they make the same world.
// Every key of the scenario, with the values of all cells together, each file that is read, and
// each that commands name.
[[nodiscard]] std::vector<core::Subject> subjects_of(std::span<const Cell> cells);

// The keys of an effective scenario, or of several behind each other, as "workload.jobs", in their
// order: one whose values are equal has an equal fingerprint.
[[nodiscard]] std::vector<core::Subject> keys_of(std::string_view toml);

}  // namespace rhizome::scenarios
