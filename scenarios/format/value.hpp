// Converts a scalar of a document to the value of a setting.
#pragma once

#include "core/peer/setting.hpp"
#include "scenarios/format/document.hpp"

namespace rhizome::scenarios {

// Assigns the entry's first value to the setting's field of `object`. Throws InputError for a wrong
// type or a value out of bounds.
void assign_setting(const core::Setting& setting, void* object, const Entry& entry);

// The kind of values of a setting: "a whole number", "a duration such as \"250ms\"".
[[nodiscard]] std::string kind_text(const core::Setting& setting);

// The value as a scalar of a document.
[[nodiscard]] Scalar scalar_of(const core::Setting& setting, const void* object);

}  // namespace rhizome::scenarios
