// Whether a run that is done again from its directory has what it had: the files that it read, and
// the program.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::scenarios {

// Of the scenario of a run directory; of any other, nothing is said. Throws UnreadableFile for a
// file that has gone or changed since the run. Returns a sentence where the program is another one,
// else nothing.
[[nodiscard]] std::string check_same(const std::filesystem::path& scenario);

}  // namespace rhizome::scenarios
