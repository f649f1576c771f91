#include "scenarios/world/faults/outages.hpp"

#include <algorithm>

namespace rhizome::scenarios {

namespace {

using core::Fault;

// Merges outages that overlap or touch; the result begins like the earlier of them.
std::vector<Outage> merged(std::vector<Outage> outages) {
  std::ranges::stable_sort(outages,
                           [](const Outage& a, const Outage& b) { return a.from < b.from; });
  std::vector<Outage> apart;
  for (const Outage& outage : outages) {
    if (apart.empty() || outage.from > apart.back().until) {
      apart.push_back(outage);
    } else {
      apart.back().until = std::max(apart.back().until, outage.until);
    }
  }
  return apart;
}

void append(std::vector<Fault>& faults, core::PeerId peer, const Outage& outage) {
  const bool absent = outage.from == before_the_start;
  if (!absent) faults.push_back({outage.from, peer, outage.how});
  if (outage.until == for_good && !absent) return;
  faults.push_back({outage.until, peer, absent ? Fault::Kind::join : Fault::Kind::restart});
}

}  // namespace

Outage outage_after(core::Time from, core::Duration lasting, Fault::Kind how) {
  return {from, lasting > core::Duration::zero() ? from + lasting : for_good, how};
}

std::vector<Fault> Outages::faults() const {
  std::vector<Fault> faults;
  for (const auto& [peer, outages] : by_peer_)
    for (const Outage& outage : merged(outages)) append(faults, peer, outage);
  std::ranges::stable_sort(faults, [](const Fault& a, const Fault& b) { return a.at < b.at; });
  return faults;
}

}  // namespace rhizome::scenarios
