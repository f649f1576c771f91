// The invariants of groups, judged throughout a run: every worker follows a peer that leads, and
// leaders reach each other.
#include <optional>

#include "scenarios/outcome/leader_graph.hpp"
#include "scenarios/outcome/pointers.hpp"
#include "scenarios/outcome/replay.hpp"

namespace rhizome::scenarios {

namespace {

using core::no_peer;
using core::PeerId;

// A peer that never noted a group, such as a queue, is in no group and need not be in one.
class Members {
 public:
  using Facts = core::OneOf<agents::GroupChanged, agents::RunFailed>;

  Members(const Outcome& outcome, Findings& findings)
      : patience_(patience_of(outcome)),
        findings_(findings),
        pointers_({.invariant = "groups",
                   .carries = [](PeerId peer, std::optional<PeerId> to) { return to == peer; },
                   .words = [this](PeerId, PeerId to) { return words(to); },
                   .trail = [this](PeerId peer, Time until) { return trail(peer, until); }},
                  patience_, findings) {}

  void learn(const Noted<agents::GroupChanged>& noted) {
    pointers_.point(noted.peer, noted.fact.leader, noted.at);
  }
  void learn(const Noted<agents::RunFailed>& noted) { bury(noted.peer, noted.at); }
  void bury(PeerId peer, Time at) { pointers_.remove(peer, at); }
  void pause(Time at) { pointers_.pause(at); }
  void resume(Time at) { pointers_.resume(at); }
  void finish(Time at) {
    pointers_.finish(at);
    findings_.judged(pointers_.judged());
  }

 private:
  [[nodiscard]] std::string words(PeerId to) const {
    if (to == no_peer) return "belongs to no group";
    const bool follows = pointers_.target(to) != no_peer;
    return "follows " + name_of(to) +
           (follows ? ", which does not lead" : ", which is in no group");
  }

  [[nodiscard]] std::string trail(PeerId peer, Time until) const {
    return findings_.trail<agents::GroupChanged>(
        [peer](const auto& noted) { return noted.peer == peer || noted.fact.leader == peer; },
        until);
  }

  Patience patience_;
  Findings& findings_;
  Pointers pointers_;
};

// When the neighbours of a silent leader notice it, they ask for other leaders, which may be silent
// too. So with faults the patience counts twice.
class Leaders {
 public:
  using Facts = core::OneOf<agents::GroupChanged, agents::LeadersLinked, agents::RunFailed>;

  Leaders(const Outcome& outcome, Findings& findings)
      : graph_((faultless(outcome) ? 1 : 2) * patience_of(outcome).notice, findings),
        findings_(findings) {}

  void learn(const Noted<agents::GroupChanged>& noted) {
    if (noted.fact.leader == noted.peer) {
      graph_.lead(noted.peer, noted.at);
    } else {
      graph_.retire(noted.peer, noted.at);
    }
  }
  void learn(const Noted<agents::LeadersLinked>& noted) {
    graph_.link(noted.peer, noted.fact.leader, noted.fact.linked, noted.at);
  }
  void learn(const Noted<agents::RunFailed>& noted) { bury(noted.peer, noted.at); }
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

// Leaders in a tree have no edges; the checker of trees judges whether they are connected.
void check_groups(const Outcome& outcome, Findings& findings) {
  if (!outcome.facts.any<agents::GroupChanged>()) return;
  Members members(outcome, findings);
  replay(outcome, members);
  if (outcome.facts.any<agents::ParentChanged>()) return;
  Leaders leaders(outcome, findings);
  replay(outcome, leaders);
}

}  // namespace rhizome::scenarios
