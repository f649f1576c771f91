// Explorers of tiny protocols, and searches through all that may happen to them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/explore/explorer.hpp"
#include "core/explore/search.hpp"
#include "test/support/engines.hpp"

namespace rhizome::test {

// The results of a search through all histories, and a check of each one's report, if given.
struct ToyExploration {
  core::SearchCounts counts{};
  bool exhausted = false;
  core::Broken broken{};
};

template <class Equip>
ToyExploration explored(std::uint32_t peers, Equip equip, core::ExplorerOptions options = {},
                        core::ExplorerChecks checks = {}, core::SearchLimits limits = {}) {
  core::Explorer explorer(setup_of(peers, std::chrono::hours(1), equip), std::move(options),
                          std::move(checks));
  core::Search search(explorer, std::move(limits));
  search.explore();
  return {search.counts(), search.exhausted(),
          search.broken() ? search.broken()->broken : core::Broken{}};
}

// The rule that every living peer finishes.
inline core::Broken unfinished(const core::EngineReport& report, const std::vector<core::Fault>&) {
  for (std::size_t i = 0; i < report.finished.size(); ++i)
    if (report.alive[i] && !report.finished[i])
      return {"unfinished", "peer " + std::to_string(i) + " has not finished"};
  return {};
}

}  // namespace rhizome::test
