// The keys of [workload] that say what tasks compute: the kind, and the settings of every kind
// under the kind's name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/work/kind.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/written.hpp"

namespace rhizome::scenarios {

// Settings of a WorkloadSection. The kinds outlive them.
[[nodiscard]] std::vector<core::Setting> work_settings(core::WorkKinds kinds);

// Each setting of a kind means something only where that kind is chosen.
[[nodiscard]] std::vector<Condition> work_conditions(core::WorkKinds kinds);

// The files that settings of the chosen kind name, by their keys; "" for a setting that names none.
// The pointers live as long as the section's options.
[[nodiscard]] std::vector<std::pair<std::string, std::string*>> work_files(
    WorkloadSection& section);

// The same for folders, with the folder of the workload.
[[nodiscard]] std::vector<std::pair<std::string, std::string*>> work_folders(
    WorkloadSection& section);

// The words of a command that the chosen kind runs, and the folder from which they are looked for;
// none where it runs no program.
struct WorkCommand {
  std::string folder;
  std::vector<std::string> words;
};
[[nodiscard]] WorkCommand work_command(WorkloadSection section);

// Refuses, at its key, an impossible setting of the chosen kind, such as a program that does not
// exist. Throws InputError.
void check_work(const Written& written, const Scenario& scenario);

}  // namespace rhizome::scenarios
