// The tasks and results between a node and its children: children ask for tasks, and the node
// supplies them until they are confirmed; and the settlement when a child leaves, is sent away or
// dies.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/organic_grid/tree/children.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/missing.hpp"
#include "agents/organic_grid/tree/stock.hpp"

namespace rhizome::agents::grid {

// The accounts of children that were sent away or have left: the tasks and results of their stay
// are settled when they leave, so that no result is lost between two parents and none goes up
// twice.
class Departures {
 public:
  // Open until the child says that it has left. A closed one answers for a while, in case the
  // answer was lost.
  struct Account {
    Child child;
    bool open = true;
    Time since{};     // it was closed, or heard last
    Time reminded{};  // that it is to leave
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

class Downstream {
 public:
  using Messages = core::OneOf<Demand, Alive, Decline, Leave>;

  // What a child says in every message to its parent.
  struct Report {
    std::uint64_t epoch;
    std::uint64_t demanded;
    std::uint64_t received;
  };
  template <class M>
  [[nodiscard]] static Report report_of(const M& message) {
    return {message.epoch, message.demanded, message.received};
  }

  Downstream(const Lineage& lineage, const Home& home, Stock& stock, Missing& missing)
      : lineage_(lineage), home_(home), stock_(stock), missing_(missing), children_(home.options) {}

  // The children. Only this class decides whether a peer is a child, and in which stay.
  [[nodiscard]] Children& children() { return children_; }
  [[nodiscard]] const Children& children() const { return children_; }
  // No node is below, nor on the way from here to another place.
  [[nodiscard]] bool alone() const { return children_.size() == 0 && !departures_.any_open(); }

  // The child that reports, or a child that was sent away and has not left; nullptr for other
  // peers.
  Child* heard(Env& env, PeerId from, const Report& report);
  // Supplies the children that wait, in the order in which they came.
  void serve(Env& env);
  // Whether a lent task is still on its way to the child, which may not know of it.
  [[nodiscard]] bool carries(Books::Borrower to, TaskId task) const;
  // The chain above has changed.
  void tell_ancestors(Env& env) const;

  // A peer without a node in this tree asks for work. True if it asked before it came.
  bool asks_late(Env& env, PeerId from, std::uint64_t epoch);
  // Takes a newcomer on trial.
  void take_on(Env& env, PeerId newcomer, std::uint64_t epoch);
  // Takes on a node that moves here, in that epoch.
  void admit(Env& env, PeerId mover, std::uint64_t epoch);
  // A child is to find another place. It works for us until it has.
  void send_away(Env& env, PeerId child);

  // Called every heartbeat: a child that is silent for too long is taken for dead.
  void check(Env& env);
  // Says to all that there is no such node any more.
  void dissolve(Env& env) const;

  void on(Env& env, PeerId from, const Demand& message);
  void on(Env& env, PeerId from, const Alive& message);
  void on(Env& env, PeerId from, const Decline& message);
  void on(Env& env, PeerId from, const Leave& message);

 private:
  void release(Env& env);
  [[nodiscard]] std::vector<PeerId> places_for(PeerId child) const;
  Child* child_of(PeerId from, std::uint64_t epoch);
  Child* recognise(Env& env, PeerId from, std::uint64_t epoch);
  void invite(Env& env, PeerId newcomer) const;
  void remind(Env& env, Departures::Account& account) const;
  void supply(Env& env, Child& child, std::size_t tasks);
  [[nodiscard]] Supply supply_to(Env& env, const Child& child) const;
  [[nodiscard]] AliveToo sign_of_life(Env& env, const Child& child) const;
  void lose(Env& env, const Child& child, std::string_view reason);
  void part(Env& env, const Child& child);
  void close(const Child& child, std::uint64_t received);

  const Lineage& lineage_;
  const Home& home_;
  Stock& stock_;
  Missing& missing_;
  Children children_;
  Departures departures_;
};

}  // namespace rhizome::agents::grid
