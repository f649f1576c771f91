// Setups of engines without a scenario, and what their reports add up to.
#pragma once

#include <cstdint>
#include <memory>

#include "core/engine/engine.hpp"

namespace rhizome::test {

inline const core::LinkChain no_links;

// `equip` is called for each peer when one of its lives begins.
template <class Equip>
core::EngineSetup setup_of(std::uint32_t peers, core::Duration limit, Equip equip) {
  core::EngineSetup setup;
  setup.peers = peers;
  setup.links = &no_links;
  setup.limit = limit;
  setup.make_peer = [equip](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 3);
    equip(*peer);
    return peer;
  };
  return setup;
}

inline std::uint64_t total(const core::EngineReport& report,
                           std::uint64_t (core::Recorder::*count)() const) {
  std::uint64_t sum = 0;
  for (const core::Recorder& recorder : report.recorders) sum += (recorder.*count)();
  return sum;
}

}  // namespace rhizome::test
