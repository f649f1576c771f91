// The invariants of trees and of groups, judged as they stand at the end, just before they are
// dissolved. What changed within the settling time is not quiet and is not judged.
#include <algorithm>
#include <map>
#include <set>

#include "agents/facts.hpp"
#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

namespace {

namespace facts = agents::facts;
using core::PeerId;

constexpr std::string_view termination = "termination";

// Whom a peer points at, its parent or its leader (nobody once it has left), and since when.
struct Bond {
  PeerId to;
  Time since;
};
using Bonds = std::map<PeerId, Bond>;

// A peer that is gone, crashed or left, forgets its bond, and those bound to it have the settling
// time to notice.
void bury(Bonds& bonds, const core::Fault& crash) {
  bonds.erase(crash.peer);
  for (auto& [peer, bond] : bonds)
    if (bond.to == crash.peer) bond.since = crash.at;
}

// When the end of the run began to dissolve its structures: its last task had completed, and news
// of that meets whatever was still being changed.
Time dissolution(const Outcome& outcome) {
  Time last{};
  for (const TaskOutcome& task : outcome.tasks) {
    if (!task.completed) return outcome.ended;
    last = std::max(last, task.completed_at);
  }
  return outcome.tasks.empty() ? outcome.ended : std::min(last, outcome.ended);
}

// What both checkers read an outcome through.
class Watch {
 public:
  Watch(const Outcome& outcome, Findings& findings)
      : outcome_(outcome),
        findings_(findings),
        quiet_(dissolution(outcome) - settling_time(outcome)) {}

  // Plays the facts of that name and the crashes and departures in order of time. What the end of
  // the run dissolved is left as it stood.
  template <class F, class G>
  void replay(std::string_view name, F on_fact, G on_crash) const {
    auto fault = outcome_.faults.begin();
    const auto crash_until = [&](Time time) {
      for (; fault != outcome_.faults.end() && fault->at <= time; ++fault)
        if (core::ends_life(fault->kind)) on_crash(*fault);
    };
    for (const FactOutcome& fact : outcome_.facts) {
      if (fact.name != name || fact.reason == termination) continue;
      crash_until(fact.at);
      on_fact(fact);
    }
    crash_until(outcome_.ended);
  }

  [[nodiscard]] bool quiet(Time since) const { return since < quiet_; }
  [[nodiscard]] bool alive(PeerId peer) const { return lives(outcome_, peer); }

  // `peer` and the facts of that name about it.
  void report(const char* invariant, PeerId peer, const std::string& what,
              std::string_view name) const {
    findings_.add(invariant, peer, outcome_.ended, [&] {
      return name_of(peer) + " " + what + findings_.trail([&](const FactOutcome& fact) {
        return fact.name == name && (fact.peer == peer || fact.other == peer);
      });
    });
  }

 private:
  const Outcome& outcome_;
  Findings& findings_;
  Time quiet_;
};

// What became of a walk from a peer towards the root.
struct Walk {
  enum class End : std::uint8_t { root, cycle, dead, loose };
  End end = End::root;
  PeerId at;      // where it ended
  Time youngest;  // the newest bond on the way
};

class Tree {
 public:
  Tree(PeerId root, const Bonds& parents, const Watch& watch)
      : root_(root), parents_(parents), watch_(watch) {}

  void check() {
    for (const auto& [peer, bond] : parents_) {
      if (!watch_.alive(peer) || bond.to == core::nobody) continue;
      if (peer == root_ && watch_.quiet(bond.since))
        watch_.report("tree", peer, "is the root and has a parent", facts::parent_changed);
      const Walk walk = climb(peer);
      if (walk.end == Walk::End::root || !watch_.quiet(walk.youngest)) continue;
      watch_.report("tree", peer, words(walk), facts::parent_changed);
    }
  }

 private:
  // Longer than all bonds together means round and round.
  [[nodiscard]] Walk climb(PeerId from) const {
    Walk walk{.end = Walk::End::root, .at = from, .youngest = {}};
    for (std::size_t steps = 0; walk.at != root_; ++steps) {
      const auto bond = parents_.find(walk.at);
      const bool bound = bond != parents_.end();
      if (bound) walk.youngest = std::max(walk.youngest, bond->second.since);
      if (steps > parents_.size()) {
        walk.end = Walk::End::cycle;
      } else if (!watch_.alive(walk.at)) {
        walk.end = Walk::End::dead;
      } else if (!bound || bond->second.to == core::nobody) {
        walk.end = Walk::End::loose;
      }
      if (walk.end != Walk::End::root) break;
      walk.at = bond->second.to;
    }
    return walk;
  }
  [[nodiscard]] std::string words(const Walk& walk) const {
    const std::string tree = " in the tree of " + name_of(root_);
    if (walk.end == Walk::End::cycle) return "hangs from a cycle" + tree;
    if (walk.end == Walk::End::dead)
      return "hangs from " + name_of(walk.at) + ", which is dead," + tree;
    return "hangs from " + name_of(walk.at) + ", which has no parent," + tree;
  }

  PeerId root_;
  const Bonds& parents_;
  const Watch& watch_;
};

// Leaders and the edges between them. Either end may say that an edge came or went.
struct Leaders {
  std::map<PeerId, std::set<PeerId>> links;
  std::map<PeerId, Time> changed;

  void change(const FactOutcome& fact) {
    for (const auto& [a, b] :
         {std::pair(fact.peer, fact.other), std::pair(fact.other, fact.peer)}) {
      if (fact.value > 0) {
        links[a].insert(b);
      } else {
        links[a].erase(b);
      }
      changed[a] = fact.at;
    }
  }
  [[nodiscard]] std::set<PeerId> reachable(PeerId from, const std::set<PeerId>& among) const {
    std::set<PeerId> reached{from};
    for (std::vector<PeerId> open{from}; !open.empty();) {
      const auto at = links.find(open.back());
      open.pop_back();
      if (at == links.end()) continue;
      for (const PeerId next : at->second)
        if (among.contains(next) && reached.insert(next).second) open.push_back(next);
    }
    return reached;
  }
};

// Peers that never spoke of a group, as a queue, are in none and need not be.
void check_members(const Bonds& groups, const Watch& watch) {
  for (const auto& [peer, bond] : groups) {
    if (!watch.alive(peer) || !watch.quiet(bond.since)) continue;
    const auto leader = groups.find(bond.to);
    if (bond.to == core::nobody) {
      watch.report("groups", peer, "belongs to no group", facts::group_changed);
    } else if (leader == groups.end()) {
      watch.report("groups", peer, "follows " + name_of(bond.to) + ", which is in no group",
                   facts::group_changed);
    } else if (leader->second.to != bond.to && watch.quiet(leader->second.since)) {
      watch.report("groups", peer, "follows " + name_of(bond.to) + ", which does not lead",
                   facts::group_changed);
    }
  }
}

// Connected or not is a matter of all leaders at once, so all must be quiet. Leaders that stand in
// a tree have no edges: that they are connected is what the tree's checker says.
void check_leaders(const Bonds& groups, const Leaders& graph, bool tree, const Watch& watch) {
  std::set<PeerId> leaders;
  bool quiet = true;
  for (const auto& [peer, bond] : groups) {
    if (bond.to != peer || !watch.alive(peer)) continue;
    leaders.insert(peer);
    const auto changed = graph.changed.find(peer);
    quiet = quiet && watch.quiet(bond.since) &&
            (changed == graph.changed.end() || watch.quiet(changed->second));
  }
  if (leaders.empty() || !quiet || tree) return;
  const std::set<PeerId> reached = graph.reachable(*leaders.begin(), leaders);
  for (const PeerId leader : leaders)
    if (!reached.contains(leader))
      watch.report("groups", leader,
                   "is cut off from leader " + std::to_string(leaders.begin()->value),
                   facts::leaders_linked);
}

}  // namespace

void check_trees(const Outcome& outcome, Findings& findings) {
  const Watch watch(outcome, findings);
  std::map<std::uint64_t, Bonds> trees;
  watch.replay(
      facts::parent_changed,
      [&](const FactOutcome& fact) {
        trees[fact.subject][fact.peer] = {fact.other, fact.at};
      },
      [&](const core::Fault& crash) {
        for (auto& [root, tree] : trees) bury(tree, crash);
      });
  for (const auto& [root, parents] : trees)
    Tree(PeerId{static_cast<std::uint32_t>(root)}, parents, watch).check();
}

void check_groups(const Outcome& outcome, Findings& findings) {
  const Watch watch(outcome, findings);
  Bonds groups;
  Leaders graph;
  watch.replay(
      facts::group_changed,
      [&](const FactOutcome& fact) {
        groups[fact.peer] = {fact.other, fact.at};
      },
      [&](const core::Fault& crash) { bury(groups, crash); });
  watch.replay(
      facts::leaders_linked, [&](const FactOutcome& fact) { graph.change(fact); },
      [&](const core::Fault& crash) {
        for (auto& [peer, links] : graph.links)
          if (links.erase(crash.peer) > 0) graph.changed[peer] = crash.at;
        graph.links.erase(crash.peer);
      });
  check_members(groups, watch);
  bool tree = false;
  watch.replay(
      facts::parent_changed, [&](const FactOutcome&) { tree = true; }, [](const core::Fault&) {});
  check_leaders(groups, graph, tree, watch);
}

}  // namespace rhizome::scenarios
