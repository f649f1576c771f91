// Checks of a scenario beyond the bounds of single keys: values that contradict each other, and
// settings that have no effect because of others. These are refused, since their author meant them
// to have one. The builder calls all checks and reports all complaints.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/written.hpp"
#include "scenarios/text/objections.hpp"

namespace rhizome::scenarios {

// Each throws InputError at the key that is wrong.
using Check = void (*)(const Written&, Scenario&);

// Refuses protocols without a [client] that tells the requests of clients.
void check_client(const Written& written, Scenario& scenario);
void check_bounds(const Written& written, Scenario& scenario);
void check_network(const Written& written, Scenario& scenario);
// Compares times with the limit of the run; if the workload tells the limit, the times are added to
// the scenario to be compared later.
void check_faults(const Written& written, Scenario& scenario);
// Settings without effect, beyond the words of a kind.
void check_effects(const Written& written, Scenario& scenario);
// Times that the clock of a run cannot count: it does in nanoseconds, for 292 years.
void check_clock(const Written& written, Scenario& scenario);
// Refuses a graph or a matrix of delays with more hosts than there are peers, as the others would
// be left out. The files must exist; throws what reading them throws.
void check_hosts(const Written& written, Scenario& scenario);
// Refuses settings that contradict the file of a workload, such as a formula with a column that the
// file lacks. The file must exist; throws the exceptions of its reader.
void check_table(const Written& written, Scenario& scenario);
// Jobs that come through a pipe come once, and as time goes by.
void check_live(const Written& written, Scenario& scenario);

// Refuses a time that is after the limit.
void check_time(const TimedKey& time, Duration limit);
// Whether a server or a scheduler of it orders or places tasks by their sizes.
[[nodiscard]] bool compares_sizes(const Scenario& scenario);

// Which tables a scenario can have. A table with a misspelt name is read as the table that was
// probably meant, so that errors inside it are reported together with its name.
// Replaces each misspelt table name, and each misspelt key `use` of a [[scheduler]], by the nearest
// valid name, and adds an objection for each. A name stays as it is where no valid name is near, or
// where the scenario has the nearest one as well.
void read_as_meant(Document& document, Objections& objections);

// "fautls.event#2" is within "fautls.event", and that within "fautls".
[[nodiscard]] bool is_within(const std::string& section, const std::string& table);

// Throws InputError: there is no table of that name, or a [[scheduler]] cannot have it.
[[noreturn]] void refuse_table(const std::string& called, const Position& at);

}  // namespace rhizome::scenarios
