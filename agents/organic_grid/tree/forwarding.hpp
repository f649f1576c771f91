// Forwarding addresses: a node that leaves for good tells the root where the tasks that it passed
// on went. Afterwards no peer can ask it, and its later lives do not know.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/stock.hpp"
#include "agents/organic_grid/tree/trail.hpp"

namespace rhizome::agents::grid {

class Forwarding {
 public:
  using Messages = core::OneOf<ForwardingAddresses, AddressesKept>;

  Forwarding(const Lineage& lineage, const Home& home, const Stock& stock, Trail& trail)
      : lineage_(lineage), home_(home), stock_(stock), trail_(trail) {}

  // At a node that leaves: sends the root all entries of the trail, again every heartbeat. True
  // once the root has acknowledged them.
  [[nodiscard]] bool hand_over(Env& env);
  // At the root: the peer to which `left` passed a task on when it left; nothing if `left` has not
  // left, or did not have the task.
  [[nodiscard]] std::optional<PeerId> address(TaskId task, PeerId left) const;

  void on(Env& env, PeerId from, const ForwardingAddresses& message);
  void on(Env& env, PeerId from, const AddressesKept& message);

 private:
  // Holds for one loan of the root: a task that came back and was lent again goes another way.
  struct Address {
    PeerId to;
    Time lent{};
  };
  [[nodiscard]] bool about_loan(TaskId task, Time lent) const {
    const Books::Entry* loan = stock_.lent(task);
    return loan != nullptr && loan->since == lent;
  }

  const Lineage& lineage_;
  const Home& home_;
  const Stock& stock_;
  Trail& trail_;
  std::map<std::pair<TaskId, PeerId>, Address> addresses_;  // at the root
  std::optional<Time> sent_;                                // at a node that leaves
};

}  // namespace rhizome::agents::grid
