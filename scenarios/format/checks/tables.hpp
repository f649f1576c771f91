// Which tables a scenario can have. One whose name is misspelt is read as the one that was meant,
// so that what is wrong inside of it is told together with its name.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/text/objections.hpp"

namespace rhizome::scenarios {

// Gives misspelt tables, and a misspelt `use` of a [[scheduler]], the names that they are near to,
// and objects to each. What is near to nothing, or to what is written as well, stays as it is.
void read_as_meant(Document& document, Objections& objections);

// "fautls.event#2" is within "fautls.event", and that within "fautls".
[[nodiscard]] bool is_within(const std::string& section, const std::string& table);

// Throws InputError: there is no table of that name, or it has no place in a [[scheduler]].
[[noreturn]] void refuse_table(const std::string& called, const Position& at);

}  // namespace rhizome::scenarios
