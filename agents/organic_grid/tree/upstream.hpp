// What a node and its parent owe each other: the node asks for tasks, and sends results up in
// bursts, until the parent has confirmed them.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/trail.hpp"
#include "agents/organic_grid/tree/uplink.hpp"

namespace rhizome::agents::grid {

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
