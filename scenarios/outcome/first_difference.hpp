// Where two outcomes of what should be the same run part.
#pragma once

#include <optional>
#include <string>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The first fact by time in which they differ; else the first peer that carried something else;
// else that something else differs. In a sentence; nothing where they are the same. What is not
// stored with the results, and what depends on the wall clock, is not looked at.
[[nodiscard]] std::optional<std::string> first_difference(const Outcome& was, const Outcome& is);

}  // namespace rhizome::scenarios
