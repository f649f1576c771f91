// The messages of a run that belong to locators, and their purposes.
#pragma once

#include <string_view>

#include "scenarios/outcome/kind_index.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

class LocatorMessages {
 public:
  // The outcome outlives it.
  explicit LocatorMessages(const Outcome& outcome) : kinds_(outcome.kinds) {}

  // The name of a locator's message; empty for messages of other services.
  [[nodiscard]] std::string_view name(const core::BurdenRow& row) const {
    const MessageKind* kind = kinds_.find(row.service, row.type);
    const bool of_locator = kind != nullptr && kind->service == "locator";
    return of_locator ? std::string_view(kind->name) : std::string_view();
  }
  // Whether the message serves to find a task or to bring it a datum, and not to move it.
  [[nodiscard]] bool serves_data(const core::BurdenRow& row) const {
    const std::string_view its = name(row);
    return !its.empty() && its != "move" && its != "moved" && its != "move-cancel";
  }

 private:
  KindIndex kinds_;
};

}  // namespace rhizome::scenarios
