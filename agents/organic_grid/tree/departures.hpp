// The accounts of children that were sent away or have left: the tasks and results of their stay
// are settled when they leave, so that no result is lost between two parents and none goes up
// twice.
#pragma once

#include <utility>
#include <vector>

#include "agents/organic_grid/tree/children.hpp"

namespace rhizome::agents::grid {

class Departures {
 public:
  // Open until the child says that it has left. A closed one answers for a while, in case the
  // answer was lost.
  struct Account {
    Child child;
    bool open = true;
    Time since{};     // it was closed, or heard last
    Time reminded{};  // of its eviction
  };

  void keep(Child child, bool open, Time now) {
    list_.push_back({.child = std::move(child), .open = open, .since = now, .reminded = now});
  }
  [[nodiscard]] const Account* find(PeerId id, std::uint64_t epoch) const {
    for (const Account& account : list_)
      if (account.child.id == id && account.child.epoch == epoch) return &account;
    return nullptr;
  }
  [[nodiscard]] Account* find(PeerId id, std::uint64_t epoch) {
    return const_cast<Account*>(std::as_const(*this).find(id, epoch));
  }
  // Whether that peer was sent away in a later stay than `epoch`, and is still here.
  [[nodiscard]] bool holds_later(PeerId id, std::uint64_t epoch) const {
    for (const Account& account : list_)
      if (account.child.id == id && account.open && account.child.epoch > epoch) return true;
    return false;
  }
  // A child that was sent away is still here.
  [[nodiscard]] bool any_open() const {
    for (const Account& account : list_)
      if (account.open) return true;
    return false;
  }
  // Forgets old accounts; returns the children of open accounts that were silent for `timeout`.
  [[nodiscard]] std::vector<Child> expire(Time now, Duration timeout) {
    std::vector<Child> lost;
    for (const Account& account : list_)
      if (account.open && now - account.since > timeout) lost.push_back(account.child);
    std::erase_if(list_, [&](const Account& account) {
      return now - account.since > (account.open ? timeout : 2 * timeout);
    });
    return lost;
  }
  // The open ones of a child that has lost its state, which are closed.
  [[nodiscard]] std::vector<Child> forget(PeerId id) {
    std::vector<Child> lost;
    for (Account& account : list_)
      if (account.child.id == id && std::exchange(account.open, false))
        lost.push_back(account.child);
    return lost;
  }

 private:
  std::vector<Account> list_;
};

}  // namespace rhizome::agents::grid
