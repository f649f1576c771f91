// Which schedulers of a scenario run, when somebody asks for some of them by name.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/document.hpp"

namespace rhizome::scenarios {

// Leaves those [[scheduler]]s whose label or use is one of the names, and no claim about others.
// Returns the claims that it took out. Throws InputError for a name that none has.
std::vector<std::string> keep_schedulers(Document& document, const std::vector<std::string>& names);

}  // namespace rhizome::scenarios
