// Finds where two outcomes differ that should be equal.
#pragma once

#include <optional>
#include <string>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The first fact by time in which they differ; else the first peer with other traffic; else that
// something else differs. As a sentence; nothing if they are equal. Values that the store leaves
// out, or that depend on the wall clock, are not compared.
[[nodiscard]] std::optional<std::string> first_difference(const Outcome& was, const Outcome& is);

}  // namespace rhizome::scenarios
