// Lifetimes that were measured or made elsewhere: a CSV file, plain or gzipped, with the header
// "peer,up_at,down_at" and times in seconds. A down_at that is left out stands for the end of the
// run. A peer has a line for every life, in any order; lives that touch are one, and a peer without
// any line is always there. Times since 1970, which are all above 1e9 s, count from the first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/world/faults/outages.hpp"

namespace rhizome::scenarios {

// Throws InputError with the file's line for anything else, and for peers that there are not.
[[nodiscard]] std::map<core::PeerId, std::vector<Outage>> read_lifetime_file(
    const std::string& file, std::uint32_t peers, core::Fault::Kind how);

}  // namespace rhizome::scenarios
