// A view: the settings with which a user looks at a run in a terminal. Keys change it, and screens
// are drawn from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "tools/monitor/filter.hpp"
#include "tools/monitor/marks.hpp"

namespace rhizome::tools {

enum class Tab : std::uint8_t { all, tree, peers, events, task, health, runs, help, last = help };

// The order of peers: the largest value first, except for addresses.
enum class PeerOrder : std::uint8_t {
  sent,
  received,
  inbox,
  running,
  waiting,
  late,
  address,
  last = address
};

// The order of the children of a peer: the largest value first.
enum class TreeOrder : std::uint8_t { burden, size, speed, moves, last = moves };

struct View {
  // The input at the foot of the screen; for a fault it is one key.
  enum class Typing : std::uint8_t { nothing, filter, task, fault };

  Tab tab = Tab::all;
  Script script = Script::unicode;
  PeerOrder order = PeerOrder::sent;
  bool reversed = false;             // the smallest value first
  std::size_t first = 0;             // the first line shown of events and help
  std::vector<core::PeerId> held{};  // the order of peers that is held; empty: the present order
  std::optional<core::PeerId> chosen{};  // in lists and the tree
  bool opened = false;                   // only the chosen peer is shown
  TreeOrder tree_order = TreeOrder::burden;
  std::set<core::PeerId> turned{};       // peers that are unfolded; roots that are folded
  bool moves = false;                    // recent moves in place of the tree
  Filter filter{};                       // of events
  std::optional<agents::TaskId> task{};  // the task followed
  std::optional<std::uint32_t> chosen_run{};
  Typing typing = Typing::nothing;
  std::string typed{};
  std::string standing = "live";    // the status of the source
  std::vector<std::string> said{};  // the last lines of standard error of the opened peer's program
  std::string notice{};             // why the last key had no effect
};

}  // namespace rhizome::tools
