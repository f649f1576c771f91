// The invariants of trees, judged all through a run: whatever stood still for longer than peers may
// take to notice a fault and to mend it must be right, and a cycle is wrong at once.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "scenarios/outcome/pointers.hpp"
#include "scenarios/outcome/replay.hpp"

namespace rhizome::scenarios {

namespace {

using core::no_peer;
using core::PeerId;

// Finds cycles in a tree of parents, from facts.
// A cycle is wrong once it lasts longer than `grace`: the time that peers need to notice a cycle
// made by a fault, and the possible difference of times of facts on different threads.
class Cycles {
 public:
  Cycles(Duration grace, Findings& findings) : grace_(grace), findings_(findings) {}

  // The peer has another parent, or none, in a tree that has been told already.
  void moved(core::PeerId peer, const Pointers& tree, core::PeerId root, Time at);
  void finish(Time at);

 private:
  struct Cycle {
    std::set<core::PeerId> peers;
    core::PeerId closed_by;
    core::PeerId root;
    Time since;
  };
  void report(const Cycle& cycle, Time until);

  Duration grace_;
  Findings& findings_;
  std::vector<Cycle> open_;
};

void Cycles::moved(PeerId peer, const Pointers& tree, PeerId root, Time at) {
  for (const Cycle& cycle : open_)
    if (cycle.peers.contains(peer)) report(cycle, at);
  std::erase_if(open_, [&](const Cycle& cycle) { return cycle.peers.contains(peer); });
  Cycle cycle{.peers = {peer}, .closed_by = peer, .root = root, .since = at};
  PeerId above = tree.target(peer);
  while (above != core::no_peer && cycle.peers.insert(above).second) above = tree.target(above);
  if (above == peer) open_.push_back(std::move(cycle));
}

void Cycles::report(const Cycle& cycle, Time until) {
  if (until - cycle.since <= grace_) return;
  findings_.add("tree", cycle.closed_by, cycle.since, [&] {
    return name_of(cycle.closed_by) + " hangs from a cycle in the tree of " + name_of(cycle.root) +
           ", for " + std::to_string(core::seconds(until - cycle.since)) + " s" +
           findings_.trail<agents::ParentChanged>(
               [&](const FactPlace& place) { return cycle.peers.contains(place.peer); },
               cycle.since);
  });
}

void Cycles::finish(Time at) {
  for (const Cycle& cycle : open_) report(cycle, at);
  open_.clear();
}

// One tree, until the first of its peers notes that it has ended.
class Tree {
 public:
  Tree(PeerId root, const Patience& patience, Duration cycle_grace, Findings& findings)
      : root_(root),
        findings_(findings),
        pointers_({.invariant = "tree",
                   .carries = [root](PeerId peer,
                                     std::optional<PeerId> to) { return peer == root || to; },
                   .words = [this](PeerId, PeerId to) { return words(to); },
                   .trail = [this](PeerId peer, Time until) { return trail(peer, until); }},
                  patience, findings),
        cycles_(cycle_grace, findings) {}

  void learn(const Noted<agents::ParentChanged>& noted) {
    if (ended_) return;
    const auto& [root, parent, former, reason] = noted.fact;
    dead_.erase(noted.peer);
    if (reason == "termination") {
      finish(noted.at);
    } else if (noted.peer == root_) {
      report_root(noted);
    } else if (parent == no_peer && reason == "departure") {
      leave(noted.peer, noted.at);
    } else {
      pointers_.point(noted.peer, parent, noted.at);
      cycles_.moved(noted.peer, pointers_, root_, noted.at);
    }
  }
  void bury(PeerId peer, Time at) {
    dead_.insert(peer);
    leave(peer, at);
  }
  void leave(PeerId peer, Time at) {
    if (ended_) return;
    pointers_.remove(peer, at);
    cycles_.moved(peer, pointers_, root_, at);
  }
  void pause(Time at) {
    if (!ended_) pointers_.pause(at);
  }
  void resume(Time at) {
    if (!ended_) pointers_.resume(at);
  }
  void finish(Time at) {
    if (std::exchange(ended_, true)) return;
    pointers_.finish(at);
    cycles_.finish(at);
  }
  [[nodiscard]] Judged judged() const { return pointers_.judged(); }

 private:
  void report_root(const Noted<agents::ParentChanged>& noted) {
    if (noted.fact.parent == no_peer) return;
    findings_.add("tree", root_, noted.at, [&] {
      return name_of(root_) + " is the root and has a parent, " + name_of(noted.fact.parent);
    });
  }
  [[nodiscard]] std::string words(PeerId to) const {
    const std::string tree = " in the tree of " + name_of(root_);
    if (to == no_peer) return "has no parent" + tree;
    return "hangs from " + name_of(to) +
           (dead_.contains(to) ? ", which is dead," : ", which has no parent,") + tree;
  }

  [[nodiscard]] std::string trail(PeerId peer, Time until) const {
    return findings_.trail<agents::ParentChanged>(
        [peer](const auto& noted) { return noted.peer == peer || noted.fact.parent == peer; },
        until);
  }

  PeerId root_;
  Findings& findings_;
  std::set<PeerId> dead_;
  Pointers pointers_;
  Cycles cycles_;
  bool ended_ = false;
};

class Trees {
 public:
  using Facts = core::OneOf<agents::ParentChanged, agents::RunFailed>;

  Trees(const Outcome& outcome, Findings& findings)
      : patience_(patience_of(outcome)),
        cycle_grace_(faultless(outcome) ? lag_of(outcome) : patience_.notice),
        findings_(findings) {}

  void learn(const Noted<agents::ParentChanged>& noted) {
    const PeerId root = noted.fact.root;
    trees_.try_emplace(root, root, patience_, cycle_grace_, findings_).first->second.learn(noted);
  }
  void learn(const Noted<agents::RunFailed>& noted) {
    const auto tree = trees_.find(noted.fact.source);
    if (tree != trees_.end()) tree->second.leave(noted.peer, noted.at);
  }
  void bury(PeerId peer, Time at) {
    for (auto& [root, tree] : trees_) tree.bury(peer, at);
  }
  void pause(Time at) {
    for (auto& [root, tree] : trees_) tree.pause(at);
  }
  void resume(Time at) {
    for (auto& [root, tree] : trees_) tree.resume(at);
  }
  void finish(Time at) {
    for (auto& [root, tree] : trees_) tree.finish(at);
    for (const auto& [root, tree] : trees_) findings_.judged(tree.judged());
  }

 private:
  Patience patience_;
  Duration cycle_grace_;
  Findings& findings_;
  std::map<PeerId, Tree> trees_;
};

}  // namespace

void check_trees(const Outcome& outcome, Findings& findings) {
  if (!outcome.facts.any<agents::ParentChanged>()) return;
  Trees trees(outcome, findings);
  replay(outcome, trees);
}

}  // namespace rhizome::scenarios
