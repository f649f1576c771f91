// [client]: the requests of clients to the programs in [[protocol]], in place of jobs.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/document.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/text/objections.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Section> client_sections();

// Whether a section has no effect: jobs and their files where clients ask protocols, and clients
// where there are none.
[[nodiscard]] bool is_dormant(const std::string& section, bool protocols);

// Objects to each key in such a section, and to [[scheduler]] beside [[protocol]].
void object_to_mixture(const Document& document, Objections& objections);

// Refuses a key of [client] that a program was given as its own, with where it belongs. No effect
// on other keys.
void object_to_client_key(const Entry& entry, bool protocols);

// Passes the settings of [client] to the protocols, and makes its operations the workload. No
// effect on a scenario of schedulers.
void apply_client(Scenario& scenario);

}  // namespace rhizome::scenarios
