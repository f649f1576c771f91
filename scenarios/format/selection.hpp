// Which schedulers of a scenario run when a user selects some of them by name.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/document.hpp"

namespace rhizome::scenarios {

// Keeps the [[scheduler]]s, or [[protocol]]s, whose label or use is one of the names, and those
// whose label LABEL is named as "=LABEL", and removes claims about other schedulers. Returns the
// removed claims. Throws InputError for a name that no scheduler has.
std::vector<std::string> keep_schedulers(Document& document, const std::vector<std::string>& names);

}  // namespace rhizome::scenarios
