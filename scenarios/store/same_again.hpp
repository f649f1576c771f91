// Checks whether a run that is repeated from its directory finds the same files and the same
// program.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::scenarios {

// Checks the scenario of a run directory; for any other returns nothing. Throws UnreadableFile for
// a file that is missing or has changed since the run. Returns a sentence if the program is another
// one.
[[nodiscard]] std::string check_same(const std::filesystem::path& scenario);

}  // namespace rhizome::scenarios
