// What a peer knows of its neighbours: what they told last, how far away they are, and what it has
// sent them since (Peterson, dissertation, section 4.1: "the information neighbors have provided").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "agents/vector/messages.hpp"
#include "core/peer/time.hpp"
#include "overlay/neighbours.hpp"

namespace rhizome::agents::vectors {

// A neighbour that has told of itself.
struct Seen {
  PeerId peer;
  Vitals vitals;
  double latency = 0;      // in seconds, one way; 0 until it is known
  std::uint32_t sent = 0;  // tasks, since it told
};

class Neighbours {
 public:
  explicit Neighbours(overlay::Neighbours of);

  [[nodiscard]] std::vector<PeerId> all() const;
  [[nodiscard]] bool knows(PeerId peer) const { return known_.contains(peer); }
  // What is to be told to that neighbour now; of a stranger nothing is known.
  [[nodiscard]] Info tell(PeerId peer, const Vitals& vitals, core::Time now);
  // Of a neighbour.
  void heard(PeerId peer, const Info& info, core::Time now);
  void asks(PeerId peer);
  void sent(PeerId peer, std::uint32_t tasks);
  // It does not answer: it counts as unseen until it tells of itself again.
  void lost(PeerId peer);
  // Those that have told of themselves since then, by id.
  [[nodiscard]] std::vector<Seen> since(core::Time time) const;

 private:
  struct Known {
    std::optional<Vitals> told{};
    core::Time told_at{};
    std::uint32_t sent = 0;
    core::Duration latency{0};
    std::uint32_t number = 0;  // of the last one that went there
    core::Time number_at{};
    std::uint32_t heard = 0;  // of the last one that came
  };
  std::map<PeerId, Known> known_;
};

}  // namespace rhizome::agents::vectors
