// The place of a task according to the facts read so far, the forwarders and addresses that lead to
// it, and the tasks that will give it data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::scenarios {

// The state of a task at a peer: the task itself, a forwarder to it, or nothing.
struct Spot {
  enum class State : std::uint8_t { nothing, resident, leaving, forwards };
  State state = State::nothing;
  // The epoch of the task; for a forwarder, the epoch in which the task was at the next peer.
  std::uint64_t epoch = 0;
  core::PeerId next{};
  std::uint32_t awaits = 0;  // data
};

// The address of a task that a giver of data knows, and whether it has sent its datum.
struct Edge {
  core::PeerId at{};
  std::uint64_t version = 0;
  bool sent = false;
};

// The peer that a task left, and the peer to which it moved.
struct TaskMove {
  core::PeerId from;
  core::PeerId to;
};

struct Track {
  std::map<core::PeerId, Spot> spots{};
  std::set<core::PeerId> visited{};
  std::map<agents::TaskId, Edge> edges{};  // by the task that gives the datum
  std::map<std::uint64_t, core::PeerId> settled{};
  std::map<std::uint64_t, TaskMove> left{};
  std::set<std::pair<agents::TaskId, std::uint64_t>> given{};  // by giver and generation
  std::uint64_t latest = 0;                                    // epoch
  bool begun = false;  // whether one of its copies has begun

  [[nodiscard]] std::size_t forwarders() const;
  // Whether the task still needs the datum of `giver`. Only its latest generation counts, because a
  // former copy may be left beyond a cut. Once one of its copies has begun, it needs no data.
  [[nodiscard]] bool needs(agents::TaskId giver) const;
  // Whether an address was replaced by that of an earlier copy which was really there: a search
  // that asks all peers finds any peer that has the task.
  [[nodiscard]] bool turned_back(core::PeerId at, std::uint64_t version, std::uint64_t from) const;
  // Why a search that follows forwarders from that address does not find the task; empty if it
  // does.
  [[nodiscard]] std::string fault_of_chain(core::PeerId at, std::uint64_t version) const;
};

}  // namespace rhizome::scenarios
