// How a tree heals after a crash: the peers that lost their parent, and when each of them has a
// living parent again.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tools/tree/measures.hpp"

namespace rhizome::tools {

namespace {

using core::no_peer;
using core::PeerId;

// Replays moves and faults in order of time.
class Healing {
 public:
  std::vector<Settling> run(const Outcome& outcome, const std::vector<TreeMove>& moves,
                            Time until) {
    auto fault = outcome.faults.begin();
    const auto strike_until = [&](Time time) {
      for (; fault != outcome.faults.end() && fault->at <= time; ++fault) strike(*fault);
    };
    for (const TreeMove& move : moves) {
      strike_until(move.at);
      if (move.reason != "crash") follow(move);
    }
    strike_until(until);
    for (const auto& [peer, crash] : orphans_) ++settlings_[crash].waiting;
    return std::move(settlings_);
  }

 private:
  void strike(const core::Fault& fault) {
    if (!core::ends_life(fault.kind)) {
      down_.erase(fault.peer);
      return;
    }
    const std::size_t crash = settlings_.size();
    settlings_.push_back({.crash = fault.at, .peer = fault.peer});
    down_[fault.peer] = crash;
    leave_parent(fault.peer);
    orphans_.erase(fault.peer);
    // They stay orphans until they follow another peer, however often this one dies.
    for (const PeerId child : std::exchange(children_[fault.peer], {})) bereave(child, crash);
  }

  void leave_parent(PeerId child) {
    const auto found = parent_.find(child);
    if (found == parent_.end()) return;
    children_[found->second].erase(child);
    parent_.erase(found);
  }

  void bereave(PeerId child, std::size_t crash) {
    if (orphans_.insert_or_assign(child, crash).second) ++settlings_[crash].orphans;
  }

  void follow(const TreeMove& move) {
    leave_parent(move.peer);
    parent_[move.peer] = move.to;
    children_[move.to].insert(move.peer);
    if (const auto found = orphans_.find(move.peer); found != orphans_.end()) {
      Settling& settling = settlings_[found->second];
      ++settling.moves;
      settling.took = move.at - settling.crash;
      if (move.to != no_peer) orphans_.erase(found);
    }
    if (const auto dead = down_.find(move.to); dead != down_.end())
      bereave(move.peer, dead->second);
  }

  std::map<PeerId, PeerId> parent_;
  std::map<PeerId, std::set<PeerId>> children_;
  std::map<PeerId, std::size_t> down_;     // with the crash that did it
  std::map<PeerId, std::size_t> orphans_;  // with the crash that did it
  std::vector<Settling> settlings_;
};

}  // namespace

std::vector<Settling> settlings_of(const Outcome& outcome, Time at) {
  return Healing().run(outcome, moves_until(outcome, at), at);
}

}  // namespace rhizome::tools
