#include "scenarios/outcome/invariants.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "agents/facts.hpp"

namespace rhizome::scenarios {

namespace {

namespace facts = agents::facts;
using Violations = std::vector<Violation>;

std::string describe(const FactOutcome& fact) {
  std::array<char, 48> time{};
  std::snprintf(time.data(), time.size(), "%.6f s", core::seconds(fact.at));
  std::string text = std::string(time.data()) + " peer " + std::to_string(fact.peer.value) + " " +
                     fact.name;
  if (fact.other != core::nobody) text += " with " + std::to_string(fact.other.value);
  if (!fact.reason.empty()) text += " (" + fact.reason + ")";
  return text;
}

// The last facts for which `about` holds, newest last.
template <class About>
std::string trail(const Outcome& outcome, About about) {
  constexpr std::size_t most = 5;
  std::vector<std::string> found;
  for (auto fact = outcome.facts.rbegin(); fact != outcome.facts.rend() && found.size() < most;
       ++fact)
    if (about(*fact)) found.push_back(describe(*fact));
  std::string text;
  for (auto line = found.rbegin(); line != found.rend(); ++line) text += "; " + *line;
  return text.empty() ? "; no fact tells of it" : text;
}

std::string task_name(const TaskOutcome& task) {
  return "task " + std::to_string(task.id.job) + "." + std::to_string(task.id.portion);
}

std::string task_trail(const Outcome& outcome, const TaskOutcome& task) {
  return trail(outcome, [&](const FactOutcome& fact) {
    return fact.name.starts_with("task-") && fact.subject == agents::subject_of(task.id);
  });
}

// At most a few of each kind: the first ones tell what went wrong.
void add(Violations& violations, Violation violation) {
  constexpr std::ptrdiff_t most = 10;
  const auto same = std::count_if(violations.begin(), violations.end(), [&](const Violation& v) {
    return v.invariant == violation.invariant;
  });
  if (same < most) violations.push_back(std::move(violation));
}

void check_tasks(const Outcome& outcome, Violations& violations) {
  const bool limit = outcome.ending == core::Ending::limit;
  for (const TaskOutcome& task : outcome.tasks) {
    if (!task.completed)
      add(violations, {"no-task-lost", task.executor, outcome.ended,
                       task_name(task) + " never completed" +
                           (limit ? " before the time limit" : "") + task_trail(outcome, task)});
    if (outcome.at_least_once || outcome.identity.scheduler.empty()) continue;
    if (task.duplicates > 0)
      add(violations, {"completes-once", task.executor, task.completed_at,
                       task_name(task) + " completed more than once" + task_trail(outcome, task)});
  }
}

void check_conservation(const Outcome& outcome, Violations& violations) {
  std::uint64_t made = 0;
  std::uint64_t ended = 0;
  std::uint64_t unreachable = 0;
  for (const PeerOutcome& peer : outcome.peers) {
    made += peer.sent + peer.duplicated;
    ended += peer.received + peer.in_flight;
    for (const std::uint64_t count : peer.drops) ended += count;
    const std::uint64_t lost = peer.drops[static_cast<std::size_t>(core::Drop::unreachable)];
    unreachable += lost;
    if (lost > 0)
      add(violations, {"addresses-resolve", peer.id, outcome.ended,
                       "peer " + std::to_string(peer.id.value) + " sent " + std::to_string(lost) +
                           " packets to addresses that do not exist"});
  }
  if (made != ended)
    add(violations,
        {"conservation", core::nobody, outcome.ended,
         std::to_string(made) + " packets were sent or duplicated, but " + std::to_string(ended) +
             " were received, dropped or in flight at the end"});
}

void check_rest(const Outcome& outcome, Violations& violations) {
  if (outcome.armed > 0)
    add(violations, {"comes-to-rest", core::nobody, outcome.ended,
                     std::to_string(outcome.armed) + " timers were still armed after the end"});
  if (outcome.working > 0)
    add(violations, {"comes-to-rest", core::nobody, outcome.ended,
                     std::to_string(outcome.working) + " pieces of work were running after the end"});
  for (const PeerOutcome& peer : outcome.peers)
    if (peer.alive && !peer.finished)
      add(violations,
          {"all-finish", peer.id, outcome.ended,
           "peer " + std::to_string(peer.id.value) + " lives and has not finished" +
               trail(outcome, [&](const FactOutcome& fact) { return fact.peer == peer.id; })});
}

// One tree: the parent of each of its peers. Walks of more steps than peers have met a cycle.
using Parents = std::map<core::PeerId, core::PeerId>;

bool reaches(const Parents& parents, core::PeerId from, core::PeerId root) {
  for (std::size_t steps = 0; steps <= parents.size(); ++steps) {
    if (from == root) return true;
    const auto parent = parents.find(from);
    if (parent == parents.end()) return false;
    from = parent->second;
  }
  return false;
}

// Judged at the moment the last task completed, when re-parentings in flight have the least reason
// to exist; a crash may orphan a subtree for a while, so trees with crashes are judged for cycles
// only.
void check_trees(const Outcome& outcome, Violations& violations) {
  Time quiet{};
  for (const TaskOutcome& task : outcome.tasks) quiet = std::max(quiet, task.completed_at);
  std::map<std::uint64_t, Parents> trees;
  std::map<std::uint64_t, core::PeerId> touched;
  for (const FactOutcome& fact : outcome.facts) {
    if (fact.name != facts::parent_changed || fact.at > quiet) continue;
    Parents& tree = trees[fact.subject];
    if (fact.other == core::nobody) {
      tree.erase(fact.peer);
    } else {
      tree[fact.peer] = fact.other;
    }
  }
  for (const auto& [subject, tree] : trees) {
    const core::PeerId root{static_cast<std::uint32_t>(subject)};
    for (const auto& [peer, parent] : tree) {
      const bool crashed = !outcome.peers[parent.value].alive ||
                           outcome.peers[parent.value].restarts > 0 ||
                           outcome.peers[peer.value].restarts > 0;
      core::PeerId above = parent;
      std::size_t steps = 0;
      while (above != peer && tree.contains(above) && steps++ <= tree.size())
        above = tree.at(above);
      const bool cycle = above == peer || steps > tree.size();
      const auto about = [&, who = peer](const FactOutcome& fact) {
        return fact.name == facts::parent_changed && fact.peer == who;
      };
      if (cycle)
        add(violations, {"tree", peer, quiet,
                         "peer " + std::to_string(peer.value) + " is its own ancestor" +
                             trail(outcome, about)});
      else if (!crashed && tree.contains(parent) && !reaches(tree, peer, root) &&
               std::all_of(outcome.peers.begin(), outcome.peers.end(),
                           [](const PeerOutcome& p) { return p.alive && p.restarts == 0; }))
        add(violations, {"tree", peer, quiet,
                         "peer " + std::to_string(peer.value) + " does not hang from the root" +
                             trail(outcome, about)});
    }
  }
}

// The leader graph over the leaders that live at the end.
void check_groups(const Outcome& outcome, Violations& violations) {
  std::map<core::PeerId, core::PeerId> leader_of;
  std::set<std::pair<core::PeerId, core::PeerId>> links;
  for (const FactOutcome& fact : outcome.facts) {
    if (fact.name == facts::group_changed) leader_of[fact.peer] = fact.other;
    if (fact.name != facts::leaders_linked) continue;
    const auto edge = std::minmax(fact.peer, fact.other);
    if (fact.value > 0) {
      links.insert(edge);
    } else {
      links.erase(edge);
    }
  }
  std::set<core::PeerId> leaders;
  for (const auto& [peer, leader] : leader_of)
    if (leader == peer && outcome.peers[peer.value].alive) leaders.insert(peer);
  if (leaders.empty()) return;
  std::vector<core::PeerId> open{*leaders.begin()};
  std::set<core::PeerId> reached{*leaders.begin()};
  while (!open.empty()) {
    const core::PeerId at = open.back();
    open.pop_back();
    for (const auto& [a, b] : links) {
      const core::PeerId next = a == at ? b : (b == at ? a : core::nobody);
      if (leaders.contains(next) && reached.insert(next).second) open.push_back(next);
    }
  }
  for (const core::PeerId leader : leaders)
    if (!reached.contains(leader))
      add(violations, {"groups", leader, outcome.ended,
                       "leader " + std::to_string(leader.value) +
                           " is cut off from the other leaders" +
                           trail(outcome, [&](const FactOutcome& fact) {
                             return fact.name == facts::leaders_linked &&
                                    (fact.peer == leader || fact.other == leader);
                           })});
  for (const auto& [peer, leader] : leader_of) {
    const bool lives = outcome.peers[peer.value].alive && outcome.peers[peer.value].finished;
    if (lives && leader != core::nobody && !leader_of.contains(leader))
      add(violations, {"groups", peer, outcome.ended,
                       "peer " + std::to_string(peer.value) + " follows " +
                           std::to_string(leader.value) + ", which never led"});
  }
}

}  // namespace

std::vector<Violation> check_invariants(const Outcome& outcome) {
  Violations violations;
  check_conservation(outcome, violations);
  if (outcome.ending == core::Ending::interrupted) return violations;
  check_tasks(outcome, violations);
  check_rest(outcome, violations);
  check_trees(outcome, violations);
  check_groups(outcome, violations);
  return violations;
}

}  // namespace rhizome::scenarios
