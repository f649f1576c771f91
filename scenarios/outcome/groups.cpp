// The invariants of groups, judged all through a run: every worker follows somebody who leads, and
// leaders reach each other.
#include <optional>

#include "agents/facts.hpp"
#include "scenarios/outcome/leader_graph.hpp"
#include "scenarios/outcome/replay.hpp"
#include "scenarios/outcome/standing.hpp"

namespace rhizome::scenarios {

namespace {

namespace facts = agents::facts;
using core::nobody;
using core::PeerId;

// Peers that never spoke of a group, as a queue, are in none and need not be.
class Members {
 public:
  Members(const Outcome& outcome, Findings& findings)
      : patience_(patience_of(outcome)),
        findings_(findings),
        standing_({.invariant = "groups",
                   .fact = facts::group_changed,
                   .carries = [](PeerId peer, std::optional<PeerId> to) { return to == peer; },
                   .words = [this](PeerId, PeerId to) { return words(to); }},
                  patience_, findings) {}

  void learn(const FactOutcome& fact) {
    if (fact.name == facts::group_changed) standing_.point(fact.peer, fact.other, fact.at);
    if (fact.name == facts::run_failed) bury(fact.peer, fact.at);
  }
  void bury(PeerId peer, Time at) { standing_.remove(peer, at); }
  void pause(Time at) { standing_.pause(at); }
  void resume(Time at) { standing_.resume(at); }
  void finish(Time at) {
    standing_.finish(at);
    findings_.judged(standing_.judged());
  }

 private:
  [[nodiscard]] std::string words(PeerId to) const {
    if (to == nobody) return "belongs to no group";
    const bool follows = standing_.target(to) != nobody;
    return "follows " + name_of(to) +
           (follows ? ", which does not lead" : ", which is in no group");
  }

  Patience patience_;
  Findings& findings_;
  Standing standing_;
};

// Once the silence of a leader is noticed, its neighbours ask for others, and may find silence.
class Leaders {
 public:
  Leaders(const Outcome& outcome, Findings& findings)
      : graph_((faultless(outcome) ? 1 : 2) * patience_of(outcome).notice, findings),
        findings_(findings) {}

  void learn(const FactOutcome& fact) {
    if (fact.name == facts::group_changed && fact.other == fact.peer) {
      graph_.lead(fact.peer, fact.at);
    } else if (fact.name == facts::group_changed) {
      graph_.retire(fact.peer, fact.at);
    } else if (fact.name == facts::leaders_linked) {
      graph_.link(fact.peer, fact.other, fact.value > 0, fact.at);
    } else if (fact.name == facts::run_failed) {
      bury(fact.peer, fact.at);
    }
  }
  void bury(PeerId peer, Time at) { graph_.bury(peer, at); }
  void pause(Time at) { graph_.pause(at); }
  void resume(Time at) { graph_.resume(at); }
  void finish(Time at) {
    graph_.finish(at);
    findings_.judged(graph_.judged());
  }

 private:
  LeaderGraph graph_;
  Findings& findings_;
};

}  // namespace

// Leaders that stand in a tree have no edges: that they are connected is what the tree's checker
// says.
void check_groups(const Outcome& outcome, Findings& findings) {
  if (!tells_of(outcome, facts::group_changed)) return;
  Members members(outcome, findings);
  replay(outcome, members);
  if (tells_of(outcome, facts::parent_changed)) return;
  Leaders leaders(outcome, findings);
  replay(outcome, leaders);
}

}  // namespace rhizome::scenarios
