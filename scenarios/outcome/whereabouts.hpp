// Where a task is by what facts have told so far, who knows the way to it, and who will need it.
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

// What a peer has of a task.
struct Spot {
  enum class State : std::uint8_t { nothing, resident, leaving, forwards };
  State state = State::nothing;
  std::uint64_t epoch = 0;  // of the task; of a forwarder, in which it was at the next peer
  core::PeerId next{};
  std::uint32_t awaits = 0;  // data
};

// What a task before it knows of it, and has done.
struct Edge {
  core::PeerId at{};
  std::uint64_t version = 0;
  bool sent = false;
};

struct Passage {
  core::PeerId from;
  core::PeerId to;
};

struct Track {
  std::map<core::PeerId, Spot> spots{};
  std::set<core::PeerId> visited{};
  std::map<agents::TaskId, Edge> edges{};  // by who gives
  std::map<std::uint64_t, core::PeerId> settled{};
  std::map<std::uint64_t, Passage> left{};
  std::set<std::pair<agents::TaskId, std::uint64_t>> given{};  // by whom, in which generation
  std::uint64_t latest = 0;                                    // epoch
  bool begun = false;                                          // one of its copies

  [[nodiscard]] std::size_t forwarders() const;
  // Whether it is still to be given what that one gives: in its latest generation, because a former
  // copy may be left beyond a cut, and unless one of its copies has begun, so that all are
  // needless.
  [[nodiscard]] bool needs(agents::TaskId giver) const;
  // Whether an address gave way to that of a copy of a former generation, which was there: who
  // asks everybody goes to whoever has the task.
  [[nodiscard]] bool turned_back(core::PeerId at, std::uint64_t version, std::uint64_t from) const;
  // Why nobody finds it who follows forwarders from that address on; empty if he does.
  [[nodiscard]] std::string fault_of_chain(core::PeerId at, std::uint64_t version) const;
};

}  // namespace rhizome::scenarios
