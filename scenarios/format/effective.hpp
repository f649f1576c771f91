// The effective scenario: every value that had an effect, written out, so that a stored run
// contains all its settings.
#pragma once

#include <cstdint>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

enum class FileNames : std::uint8_t { absolute, as_they_are };

// TOML that parses to the same scenario.
[[nodiscard]] std::string effective_toml(const Scenario& scenario,
                                         FileNames names = FileNames::absolute);

}  // namespace rhizome::scenarios
