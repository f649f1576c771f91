// Replays the history of a structure of peers, a tree or groups, from the facts, faults and cuts of
// an outcome.
#pragma once

#include <vector>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

// The time when the end of the run began to dissolve its structures: when its last task completed,
// or when the first of its peers gave up the run. The news of that reaches peers in the middle of
// changes.
[[nodiscard]] Time dissolution(const Outcome& outcome);

// How late a thread may be in a valid emulation; 0 in virtual time. A thread that is later stalls.
[[nodiscard]] Duration lag_of(const Outcome& outcome);

// How long a wrong structure may last. Without a fault no peer is taken for dead, so no peer needs
// a timeout to notice a change; and a peer finds a place sooner than it notices a crash. Where
// messages queue, changes may take as long as after a crash.
[[nodiscard]] Patience patience_of(const Outcome& outcome);

// A time from which on violations are excused, because the network is cut or a thread stalls, or
// from which on they count again.
struct Switch {
  Time at;
  bool excused;
};
// The switches in order of time; overlapping cuts and stalls are merged.
[[nodiscard]] std::vector<Switch> switches_of(const Outcome& outcome);

// Replays events in order of time. At the same time, cuts come before facts and facts before
// faults, because a peer that notes a fact is alive. A structure has pause(at) and resume(at) for
// cuts, bury(peer, at), finish(at), and for each of its Facts, a OneOf, learn(const Noted<F>&).
template <class Structure>
void replay(const Outcome& outcome, Structure& structure) {
  const Time end = dissolution(outcome);
  const std::vector<Switch> switches = switches_of(outcome);
  auto change = switches.begin();
  auto fault = outcome.faults.begin();
  const auto switch_until = [&](Time time) {
    for (; change != switches.end() && change->at <= time; ++change)
      change->excused ? structure.pause(change->at) : structure.resume(change->at);
  };
  const auto strike_while = [&](const auto& due) {
    for (; fault != outcome.faults.end() && due(fault->at); ++fault) {
      switch_until(fault->at);
      if (core::ends_life(fault->kind)) structure.bury(fault->peer, fault->at);
    }
  };
  outcome.facts.in_order_of<typename Structure::Facts>([&](const auto& noted) {
    if (noted.at > end) return false;
    strike_while([&](Time at) { return at < noted.at; });
    switch_until(noted.at);
    structure.learn(noted);
    return true;
  });
  strike_while([end](Time at) { return at <= end; });
  switch_until(end);
  structure.finish(end);
}

}  // namespace rhizome::scenarios
