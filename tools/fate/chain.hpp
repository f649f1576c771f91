// The chain of one task in one run: where it went from peer to peer, which forwarders it left
// behind and for how long, and who looked for it, by which way (Peterson, dissertation, sections 6
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

// Of the task at a peer, and of what stayed behind there when it had gone.
struct Stay {
  core::PeerId peer{};
  std::uint64_t epoch = 0;
  Time from{};
  std::optional<Time> until{};           // it set out
  std::optional<core::PeerId> to{};      // its next peer
  std::optional<Time> forwards_from{};   // what looks for it is passed on
  std::optional<Time> forwards_until{};  // no longer
};

// What a task, the giver, sent it: at first to where it was known to be.
struct DataSearch {
  agents::TaskId giver{};
  core::PeerId origin{};  // where the giver was done
  core::PeerId aimed{};   // at this peer
  Time sent{};
  std::uint32_t again = 0;           // times that it was sent anew
  std::vector<core::PeerId> way{};   // who passed it on, where the run has noted it
  Duration held{0};                  // that it waited at peers on the way
  std::optional<Time> given{};       // to the task
  std::optional<core::PeerId> at{};  // at this peer
  std::uint32_t hops = 0;            // messages of the one that came
};

struct Chain {
  bool ways = false;  // whether the run has noted who passed what on
  std::vector<Stay> stays{};
  std::vector<DataSearch> searches{};  // in the order in which they were sent
};

// Nothing of a task that no locator was given.
[[nodiscard]] std::optional<Chain> chain_of(const Outcome& outcome, agents::TaskId task);

[[nodiscard]] std::string text_of(const Chain& chain);
[[nodiscard]] Json json_of(const Chain& chain);

}  // namespace rhizome::tools
