// The messages of a run that belong to locators, and their purposes.
#pragma once

#include <algorithm>
#include <string_view>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The name of a locator's message; empty for messages of other services.
[[nodiscard]] inline std::string_view locator_message(const Outcome& outcome,
                                                      const core::BurdenRow& row) {
  const auto kind = std::ranges::find_if(outcome.kinds, [&row](const MessageKind& each) {
    return each.service_index == row.service && each.type == row.type;
  });
  const bool of_locator = kind != outcome.kinds.end() && kind->service == "locator";
  return of_locator ? std::string_view(kind->name) : std::string_view();
}

// Whether the message serves to find a task or to bring it a datum, and not to move it.
[[nodiscard]] inline bool serves_data(const Outcome& outcome, const core::BurdenRow& row) {
  const std::string_view name = locator_message(outcome, row);
  return !name.empty() && name != "move" && name != "moved" && name != "move-cancel";
}

}  // namespace rhizome::scenarios
