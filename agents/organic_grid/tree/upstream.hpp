// What a node and its parent owe each other: the node asks for tasks, and sends results up in
// bursts, until the parent has confirmed them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/stream.hpp"
#include "agents/organic_grid/tree/trail.hpp"

namespace rhizome::agents::grid {

// A node's link to its parent: tasks asked for, supplies received, and results that the parent has
// not confirmed; and the farewells to former parents that have not confirmed theirs.

// One stay at one parent.
struct Uplink {
  PeerId parent = core::no_peer;
  std::uint64_t epoch = 0;
  std::uint64_t demanded = 0;
  std::uint64_t announced = 0;  // of demanded, what the parent was told
  std::uint64_t excess = 0;     // of what is outstanding, what nobody needs
  StreamInbox supplies{};
  Outbox<Result> results{};
  Time last_heard{};
  Time last_sent{};

  [[nodiscard]] bool attached() const { return parent != core::no_peer; }
  // Whether a message is from the parent, about this stay.
  [[nodiscard]] bool is(PeerId from, std::uint64_t of_epoch) const {
    return attached() && from == parent && of_epoch == epoch;
  }
  // Asked for and not here yet.
  [[nodiscard]] std::uint64_t outstanding() const {
    return demanded > supplies.next() ? demanded - supplies.next() : 0;
  }
};

// Results of stays that have ended, until the former parent has said how many it has.
class Farewells {
 public:
  struct Farewell {
    Uplink stay;
    Time since{};
  };

  void add(Uplink stay, Time now) { list_.push_back({std::move(stay), now}); }
  [[nodiscard]] const std::vector<Farewell>& list() const { return list_; }
  // Removes that stay, which is settled; nothing if it is not known.
  [[nodiscard]] std::optional<Uplink> take(PeerId parent, std::uint64_t epoch) {
    for (auto farewell = list_.begin(); farewell != list_.end(); ++farewell) {
      if (farewell->stay.parent != parent || farewell->stay.epoch != epoch) continue;
      Uplink stay = std::move(farewell->stay);
      list_.erase(farewell);
      return stay;
    }
    return {};
  }
  // Results sent to parents that have not answered within `timeout`, and may be dead.
  [[nodiscard]] std::vector<Result> expire(Time now, Duration timeout) {
    std::vector<Result> left;
    for (const Farewell& farewell : list_)
      if (now - farewell.since > timeout)
        left.insert(left.end(), farewell.stay.results.items().begin(),
                    farewell.stay.results.items().end());
    std::erase_if(list_, [&](const Farewell& f) { return now - f.since > timeout; });
    return left;
  }

 private:
  std::vector<Farewell> list_;
};

class Upstream {
 public:
  using Messages = core::OneOf<Settled>;

  // What there is to do below, in tasks.
  struct Need {
    std::uint64_t stock;     // here already
    std::uint64_t goal;      // to be held for this peer
    std::uint64_t deficits;  // of the children
    std::uint32_t hands;
    bool last;  // nothing is left to be done here
  };

  Upstream(const Lineage& lineage, const Home& home, Trail& trail)
      : lineage_(lineage), home_(home), trail_(trail) {}

  [[nodiscard]] bool attached() const { return up_.attached(); }
  // The same, or at the root, where work begins.
  [[nodiscard]] bool rooted() const { return lineage_.is_root() || up_.attached(); }
  // Whether this node is the root, or a child of it.
  [[nodiscard]] bool below_root() const {
    return lineage_.is_root() || up_.parent == lineage_.root();
  }
  [[nodiscard]] PeerId parent() const { return up_.parent; }
  [[nodiscard]] std::uint64_t epoch() const { return up_.epoch; }
  // The same, or the epoch of the last stay if the node has no parent.
  [[nodiscard]] std::uint64_t last_epoch() const { return last_epoch_; }
  // Whether a message is from the parent, about this stay.
  [[nodiscard]] bool is(PeerId from, std::uint64_t epoch) const { return up_.is(from, epoch); }
  // The parent has not been heard for too long.
  [[nodiscard]] bool silent(Time now) const;

  // Begins a stay at a parent, and ends the one before; that is settled apart.
  void attach(Env& env, Uplink stay, std::string_view reason);
  // Ends the stay without another.
  void detach(Env& env, std::string_view reason);

  // All results that were here have been confirmed, and so has every farewell.
  [[nodiscard]] bool settled() const {
    return held_.empty() && up_.results.items().empty() && farewells_.list().empty();
  }

  // For a supply of `count` tasks numbered from `first` on: how many of them are here already.
  std::size_t take(std::uint64_t first, std::size_t count) {
    return up_.supplies.take(first, count);
  }
  // The parent spoke; it has so many results.
  void heard(Env& env, std::uint64_t acknowledged);
  // A result is on its way up from now on.
  void hold(const Result& result) { held_.push_back(result); }
  // Whether the result of the task is here: not sent yet, or not confirmed.
  [[nodiscard]] bool holds(TaskId task) const;
  [[nodiscard]] bool holds_unsent(TaskId task) const;
  // Called after every event: asks for needed tasks and sends completed results.
  void settle(Env& env, const Need& need);
  // Called every heartbeat.
  void tend_farewells(Env& env);
  void say_alive(Env& env);
  // The waiting tasks were given back: those asked for besides are not wanted any more.
  void want_no_more(Env& env);

  void on(Env& env, PeerId from, const Settled& message);

 private:
  void leave(Env& env);
  void raise_demand(const Need& need);
  void demand(Env& env);
  void send(Env& env, std::uint64_t first, const std::vector<Result>& results, core::Cause cause);
  void flush(Env& env);
  void resend_results(Env& env);
  void acknowledge(Uplink& stay, std::uint64_t results);
  void hold_first(std::vector<Result> results);

  const Lineage& lineage_;
  const Home& home_;
  Trail& trail_;
  Uplink up_;
  Farewells farewells_;
  std::deque<Result> held_;  // not sent yet
  std::uint64_t last_epoch_ = 0;
};

}  // namespace rhizome::agents::grid
