#include "scenarios/outcome/held_links.hpp"

#include <algorithm>
#include <map>

#include "agents/overlay_facts.hpp"

namespace rhizome::scenarios {

namespace {

// The overlay may have been measured long before the end of the run.
std::vector<bool> living_at(const Outcome& outcome, Time at) {
  std::vector<bool> living(outcome.peers.size(), true);
  for (const core::Fault& fault : outcome.faults)
    if (fault.kind == core::Fault::Kind::join) living[fault.peer.value] = false;
  for (const core::Fault& fault : outcome.faults)
    if (fault.at <= at) living[fault.peer.value] = !core::ends_life(fault.kind);
  return living;
}

}  // namespace

HeldLinks held_links(const Outcome& outcome) {
  std::map<core::PeerId, Time> looks;  // the last of each peer
  Time last{};
  for (const auto& noted : outcome.facts.of<agents::LinkHeld>()) {
    Time& look = looks[noted.peer];
    last = std::max(last, look = std::max(look, noted.at));
  }
  HeldLinks held{.living = living_at(outcome, last)};
  for (const auto& noted : outcome.facts.of<agents::LinkHeld>())
    if (noted.at == looks[noted.peer] &&
        noted.fact.known.value < outcome.peers.size())  // else in a damaged store
      held.links.emplace_back(noted.peer.value, noted.fact.known.value);
  return held;
}

}  // namespace rhizome::scenarios
