#include "test/fuzz/protocol/known.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace rhizome::fuzz {

namespace {

// Whether it was among the failures.
bool take_out(CampaignTally& tally, std::uint64_t seed) {
  bool found = false;
  for (auto& [kind, seeds] : tally.failures) found = std::erase(seeds, seed) > 0 || found;
  std::erase_if(tally.failures, [](const auto& item) { return item.second.empty(); });
  return found;
}

}  // namespace

KnownFailures read_known(const std::string& file, std::string_view scheduler) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  KnownFailures known;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string name;
    std::uint64_t seed = 0;
    std::string why;
    if (!(words >> name >> seed) || !std::getline(words >> std::ws, why))
      throw std::runtime_error(file + ": \"" + line + "\" is not a scheduler, a seed and a reason");
    if (name == scheduler) known[seed] = why;
  }
  return known;
}

bool set_aside(CampaignTally& tally, const KnownFailures& known, const CampaignOptions& options) {
  bool current = true;
  for (const auto& [seed, why] : known) {
    if (seed < options.first_seed || seed >= options.first_seed + options.runs) continue;
    const bool fails = take_out(tally, seed);
    std::printf("  %s seed %llu: %s\n",
                fails ? "known to fail," : "PASSES NOW, take it off the list,",
                static_cast<unsigned long long>(seed), why.c_str());
    current = current && fails;
  }
  return current;
}

}  // namespace rhizome::fuzz
