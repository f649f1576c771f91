// What a planned failure of a machine does to the peers on it, and to no others.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::test {

// Peers from `first` to before `end` were at work until then, and did nothing from then on; all
// others are there in the end, and some of them were at work after it.
inline void check_machine_failed(const scenarios::Outcome& outcome, std::uint32_t first,
                                 std::uint32_t end, core::Time then) {
  const auto is_on_it = [=](core::PeerId peer) { return peer.value >= first && peer.value < end; };
  for (const scenarios::PeerOutcome& peer : outcome.peers) {
    CAPTURE(peer.id.value);
    CHECK(peer.alive == !is_on_it(peer.id));
    CHECK(peer.restarts == 0);
  }
  std::size_t before = 0;  // on it
  std::size_t after = 0;   // on it
  std::size_t by_others = 0;
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>())
    if (is_on_it(noted.peer))
      ++(noted.at > then ? after : before);
    else if (noted.at > then)
      ++by_others;
  CHECK(before > 0);
  CHECK(after == 0);
  CHECK(by_others > 0);
}

}  // namespace rhizome::test
