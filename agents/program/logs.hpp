// Where the standard error of programs is kept: a file for each process, named after its run and
// its peers, as "SEED-n7.log" or "SEED-n20-n39.log". What one process writes for several peers is
// in one file, since a line does not say for which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/peer/ids.hpp"

namespace rhizome::agents::program {

[[nodiscard]] std::string log_name(std::uint64_t seed, core::PeerId first, core::PeerId last);

// The last lines that the process of the peer has written, so many at the most, as they are; none
// where there is no file of it.
[[nodiscard]] std::vector<std::string> end_of_log(const std::filesystem::path& folder,
                                                  std::uint64_t seed, core::PeerId peer,
                                                  std::size_t most);

}  // namespace rhizome::agents::program
