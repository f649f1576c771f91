// Recent moves of peers: the last changes of parents and leaders among the facts that a monitor
// has.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"
#include "scenarios/live/frame.hpp"

namespace rhizome::scenarios::live {

struct Move {
  core::Time at{};
  core::PeerId peer{};
  core::PeerId to = core::no_peer;
  core::PeerId from = core::no_peer;  // if the fact has it
  std::string reason{};
  friend bool operator==(const Move&, const Move&) = default;
};

// The moves at most `span` before the latest fact, the latest first. `kinds` holds the names of the
// fact kinds by number.
[[nodiscard]] std::vector<Move> moves_within(const std::deque<LiveFact>& facts,
                                             const std::vector<std::string>& kinds,
                                             core::Duration span);

}  // namespace rhizome::scenarios::live
