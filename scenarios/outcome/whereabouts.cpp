#include "scenarios/outcome/whereabouts.hpp"

#include <algorithm>

#include "agents/locator/facts.hpp"
#include "scenarios/outcome/fact_text.hpp"

namespace rhizome::scenarios {

using agents::locator::generation;

std::size_t Track::forwarders() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      spots, [](const auto& item) { return item.second.state == Spot::State::forwards; }));
}

bool Track::needs(agents::TaskId giver) const {
  return !begun && !given.contains({giver, latest / generation});
}

bool Track::turned_back(core::PeerId at, std::uint64_t version, std::uint64_t from) const {
  const auto copy = settled.find(version);
  return version / generation < from / generation && copy != settled.end() && copy->second == at;
}

// Versions that rise end at the latest after as many hops as there were epochs since.
std::string Track::fault_of_chain(core::PeerId at, std::uint64_t version) const {
  for (;;) {
    const auto found = spots.find(at);
    const Spot spot = found == spots.end() ? Spot{} : found->second;
    switch (spot.state) {
      case Spot::State::resident:
      case Spot::State::leaving:
        return {};
      case Spot::State::nothing:
        return "the chain ends at " + name_of(at);
      case Spot::State::forwards:
        if (spot.epoch <= version) return "the chain leads back at " + name_of(at);
        at = spot.next;
        version = spot.epoch;
    }
  }
}

}  // namespace rhizome::scenarios
