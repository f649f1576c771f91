// A view: how somebody looks at a run in a terminal. Keys change it, and screens follow it.
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

// By what peers are ordered: the largest first, but for their addresses.
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

// By what those are ordered that are below the same one: the largest first.
enum class TreeOrder : std::uint8_t { burden, size, speed, moves, last = moves };

struct View {
  // What is being typed, at the foot of the screen; of a fault, one key.
  enum class Typing : std::uint8_t { nothing, filter, task, fault };

  Tab tab = Tab::all;
  Script script = Script::unicode;
  PeerOrder order = PeerOrder::sent;
  bool reversed = false;                 // the smallest first
  std::size_t first = 0;                 // of events and help, the line that is shown first
  std::vector<core::PeerId> held{};      // peers in the order to be kept; empty: as they are now
  std::optional<core::PeerId> chosen{};  // in lists and the tree
  bool opened = false;                   // the chosen one, alone
  TreeOrder tree_order = TreeOrder::burden;
  std::set<core::PeerId> turned{};       // unfolded, or of roots folded
  bool moves = false;                    // who moved lately, in place of the tree
  Filter filter{};                       // of events
  std::optional<agents::TaskId> task{};  // that is followed
  std::optional<std::uint32_t> chosen_run{};
  Typing typing = Typing::nothing;
  std::string typed{};
  std::string standing = "live";  // how the run and the monitor are to each other
  std::string notice{};           // what the last key could not do, and why
};

}  // namespace rhizome::tools
