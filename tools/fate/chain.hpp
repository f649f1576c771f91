// The chain of one task in one run: its way from peer to peer, the forwarders that it left behind
// and for how long, and the searches for it, with their ways (Peterson, dissertation, sections 6
// and 7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/text/json.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// A stay of the task at a peer, and the forwarder that remained there afterwards.
struct Stay {
  core::PeerId peer{};
  std::uint64_t epoch = 0;
  Time from{};
  std::optional<Time> until{};           // it set out
  std::optional<core::PeerId> to{};      // its next peer
  std::optional<Time> forwards_from{};   // searches are passed on
  std::optional<Time> forwards_until{};  // no longer
};

// A datum that another task, the giver, sent to it: first to its last known address.
struct DataSearch {
  agents::TaskId giver{};
  core::PeerId origin{};  // where the giver was done
  core::PeerId aimed{};   // at this peer
  Time sent{};
  std::uint32_t again = 0;           // times that it was sent anew
  std::vector<core::PeerId> way{};   // peers that passed it on, if the run noted them
  Duration held{0};                  // time it waited at peers on the way
  std::optional<Time> given{};       // to the task
  std::optional<core::PeerId> at{};  // at this peer
  std::uint32_t hops = 0;            // messages of the datum that arrived
};

struct Chain {
  bool ways = false;  // whether the run noted which peers passed data on
  std::vector<Stay> stays{};
  std::vector<DataSearch> searches{};  // in the order in which they were sent
};

// Nothing of a task that no locator was given.
[[nodiscard]] std::optional<Chain> chain_of(const Outcome& outcome, agents::TaskId task);

[[nodiscard]] std::string text_of(const Chain& chain);
[[nodiscard]] Json json_of(const Chain& chain);

}  // namespace rhizome::tools
