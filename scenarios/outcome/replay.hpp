// Plays what happens to a structure of peers, a tree or groups, from the facts, faults and cuts of
// an outcome.
#pragma once

#include <vector>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

// When the end of the run began to dissolve its structures: its last task had completed, or the
// first of its peers gave it up, and news of that meets whatever was still being changed.
[[nodiscard]] Time dissolution(const Outcome& outcome);

// How late a thread may be for the emulation's sake; 0 in virtual time. One that is later stalls.
[[nodiscard]] Duration lag_of(const Outcome& outcome);

// How long mistakes may show. Without a fault nobody is taken for dead, so nobody needs a time-out
// to notice; and a place is found sooner than a death is noticed. Where messages queue, they may
// take as long as if somebody had died.
[[nodiscard]] Patience patience_of(const Outcome& outcome);

// A time from which on nobody can be blamed, for the network is cut or a thread stalls, or from
// which on they can be.
struct Switch {
  Time at;
  bool excused;
};
// By time; those that overlap are one.
[[nodiscard]] std::vector<Switch> switches_of(const Outcome& outcome);

// In order of time, and at one time cuts before facts before faults, for who notes a fact lives. A
// structure has pause(at) and resume(at) for cuts, bury(peer, at), finish(at), and for each of its
// Facts, a OneOf, learn(const Noted<F>&).
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
