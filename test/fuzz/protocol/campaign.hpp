// Many runs of one scheduler on all cores, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "test/fuzz/protocol/generator.hpp"
#include "test/fuzz/protocol/judge.hpp"

namespace rhizome::fuzz {

struct CampaignOptions {
  std::uint64_t first_seed = 1;
  std::uint64_t runs = 1000;
  double minutes = 0;    // after which no run is begun; 0: no limit
  unsigned workers = 0;  // 0: as many as there are cores
  Pinned pinned{};
  Worlds worlds = Worlds::all;
  Verdict (*judge)(const std::string& scenario) = fuzz::judge;
};

struct CampaignTally {
  std::uint64_t runs = 0;
  std::uint64_t refused = 0;  // drafts drawn in vain
  double slowest = 0;         // ratio of a makespan to its bound
  std::uint64_t slowest_seed = 0;
  double promised = 0;  // largest ratio of a makespan to the promised one
  std::uint64_t promised_seed = 0;
  std::size_t executions = 0;                                  // of one task, at most
  std::map<std::string, std::vector<std::uint64_t>> failures;  // kind -> seeds, ascending

  [[nodiscard]] std::uint64_t failed() const;
};

[[nodiscard]] CampaignTally run_campaign(const agents::Scheduler& scheduler,
                                         const CampaignOptions& options);

// Runs one scenario of the campaign; a crash of the program names the seed.
void announce_crashes(const char* program);

}  // namespace rhizome::fuzz
