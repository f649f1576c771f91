// A peer's knowledge of its neighbours: their last reports, how far away they are, and the tasks
// sent to them that the reports do not include yet (Peterson, dissertation, section 4.1: "the
// information neighbors have provided"). Messages may overtake each other.
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
struct NeighbourState {
  PeerId peer;
  PeerMetrics vitals;
  double latency = 0;      // in seconds, one way; 0 until it is known
  std::uint32_t sent = 0;  // tasks that had not come when it told
};

class NeighbourTable {
 public:
  explicit NeighbourTable(overlay::Neighbours of);
  // Sets the life of this peer, before its first report.
  void begin(std::uint32_t life) { life_ = life; }

  [[nodiscard]] std::vector<PeerId> all() const;
  [[nodiscard]] bool knows(PeerId peer) const { return known_.contains(peer); }
  // The report to send to that neighbour now; for a peer that is no neighbour it has no echo.
  [[nodiscard]] Info tell(PeerId peer, const PeerMetrics& vitals, core::Time now);
  // Takes a neighbour's report. False if it has sent a newer one before.
  bool heard(PeerId peer, const Info& info, core::Time now);
  void asks(PeerId peer);
  // Records a transfer of so many tasks, with its number.
  void sent(PeerId peer, std::uint64_t number, std::uint32_t tasks);
  // A transfer from this peer has come.
  void came(PeerId peer, Mark transfer);
  // A neighbour does not answer: it counts as unseen until it reports again.
  void lost(PeerId peer);
  // Neighbours that have reported since then, by id.
  [[nodiscard]] std::vector<NeighbourState> since(core::Time time) const;

 private:
  struct Sent {
    std::uint64_t number = 0;
    std::uint32_t tasks = 0;
  };
  struct NeighbourRecord {
    std::optional<PeerMetrics> told{};
    core::Time told_at{};
    std::vector<Sent> sent{};
    core::Duration latency{0};
    std::uint64_t number = 0;  // of the last Info sent there
    core::Time number_at{};
    Mark heard{};  // the latest Info that came
    Mark came{};   // the latest transfer that came
  };
  std::map<PeerId, NeighbourRecord> known_;
  std::uint32_t life_ = 0;
};

}  // namespace rhizome::agents::vectors
