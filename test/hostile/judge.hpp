// Rules that the end of every call must satisfy, whatever its arguments are.
#pragma once

#include <string>
#include <vector>

#include "test/hostile/attempt.hpp"

namespace rhizome::test {

// The error in the end of an attempt; empty if there is none.
[[nodiscard]] std::string complaint_of(const Attempt& attempt, const End& end,
                                       const std::filesystem::path& directory);

// Carries all out, several at once, each in a directory of its own; a failed check for each
// complaint, with the attempt. Some must be done and some refused, or the attempts are too tame or
// too wild to find anything.
void try_all(const std::vector<Attempt>& attempts);

// The number of attempts of one kind, of a thousand and more in all; RHIZOME_HOSTILE_CASES scales
// it, in percent.
[[nodiscard]] std::uint64_t share(std::uint64_t attempts);

}  // namespace rhizome::test
