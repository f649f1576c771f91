// Which tables a scenario can have. A table with a misspelt name is read as the table that was
// probably meant, so that errors inside it are reported together with its name.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/text/objections.hpp"

namespace rhizome::scenarios {

// Replaces each misspelt table name, and each misspelt key `use` of a [[scheduler]], by the nearest
// valid name, and adds an objection for each. A name stays as it is where no valid name is near, or
// where the scenario has the nearest one as well.
void read_as_meant(Document& document, Objections& objections);

// "fautls.event#2" is within "fautls.event", and that within "fautls".
[[nodiscard]] bool is_within(const std::string& section, const std::string& table);

// Throws InputError: there is no table of that name, or a [[scheduler]] cannot have it.
[[noreturn]] void refuse_table(const std::string& called, const Position& at);

}  // namespace rhizome::scenarios
