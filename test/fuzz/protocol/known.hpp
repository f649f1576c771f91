// Failures that are known and not mended yet, so that the gate can tell a new one. A seed that
// passes again is a failure of the list: it has to be taken off.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "test/fuzz/protocol/campaign.hpp"

namespace rhizome::fuzz {

using KnownFailures = std::map<std::uint64_t, std::string>;  // why, by seed

// The known failures of one scheduler, from lines "SCHEDULER SEED WHY"; lines that begin with # are
// skipped. Throws std::runtime_error if the file cannot be read or a line has another form.
[[nodiscard]] KnownFailures read_known(const std::string& file, std::string_view scheduler);

// Takes known failures out of a tally and prints them; false when one of them passes now.
[[nodiscard]] bool set_aside(CampaignTally& tally, const KnownFailures& known,
                             const CampaignOptions& options);

}  // namespace rhizome::fuzz
