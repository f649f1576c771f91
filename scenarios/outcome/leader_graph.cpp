#include "scenarios/outcome/leader_graph.hpp"

#include <algorithm>

namespace rhizome::scenarios {

using core::PeerId;

void LeaderGraph::touch(PeerId peer, Time at) {
  changed_[peer] = at;
  current_ = false;
}

void LeaderGraph::lead(PeerId peer, Time at) {
  advance(at);
  if (leaders_.insert(peer).second) touch(peer, at);
}

// Leaders that reached others through it have lost a path.
void LeaderGraph::retire(PeerId peer, Time at) {
  if (!leaders_.contains(peer)) return;
  advance(at);
  leaders_.erase(peer);
  touch(peer, at);
  for (const PeerId neighbour : edges_[peer]) touch(neighbour, at);
}

void LeaderGraph::bury(PeerId peer, Time at) {
  retire(peer, at);
  const std::set<PeerId> edges = edges_[peer];
  for (const PeerId neighbour : edges) link(peer, neighbour, false, at);
}

void LeaderGraph::link(PeerId a, PeerId b, bool present, Time at) {
  advance(at);
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    if (present) {
      edges_[from].insert(to);
    } else {
      edges_[from].erase(to);
    }
    touch(from, at);
  }
}

void LeaderGraph::pause(Time at) {
  advance(at);
  paused_ = true;
}

void LeaderGraph::resume(Time at) {
  advance(at);
  paused_ = false;
  for (const PeerId leader : leaders_) touch(leader, at);
}

LeaderGraph::Part LeaderGraph::part_of(PeerId leader, std::set<PeerId>& left) const {
  Part part{.leaders = {leader}, .changed = changed_.at(leader)};
  left.erase(leader);
  for (std::size_t i = 0; i < part.leaders.size(); ++i) {
    const auto edges = edges_.find(part.leaders[i]);
    if (edges == edges_.end()) continue;
    for (const PeerId next : edges->second) {
      if (left.erase(next) == 0) continue;
      part.leaders.push_back(next);
      part.changed = std::max(part.changed, changed_.at(next));
    }
  }
  return part;
}

void LeaderGraph::find_parts() {
  parts_.clear();
  std::set<PeerId> left = leaders_;
  while (!left.empty()) parts_.push_back(part_of(*left.begin(), left));
  current_ = true;
}

// Being cut off takes two: the parting is as young as the younger of a part and the part that it
// could be told from the longest.
Time LeaderGraph::stood_still_since(const Part& part) const {
  if (parts_.size() == 1) return part.changed;
  Time oldest = Time::max();
  for (const Part& other : parts_)
    if (&other != &part) oldest = std::min(oldest, other.changed);
  return std::max(part.changed, oldest);
}

void LeaderGraph::advance(Time at) {
  if (at <= now_) return;
  const Time from = std::exchange(now_, at);
  if (!current_) find_parts();
  for (const Part& part : parts_) {
    const Time quiet = std::max(from, stood_still_since(part) + grace_);
    const bool judges = !paused_ && quiet < at;
    for (std::size_t i = 0; i < part.leaders.size(); ++i)
      times_.add(judges ? at - quiet : Duration::zero(), at - from);
    if (judges && parts_.size() > 1) report(part);
  }
}

void LeaderGraph::report(const Part& part) {
  const PeerId leader = part.leaders.front();
  const Part& other = &part == &parts_.front() ? parts_.back() : parts_.front();
  const Time at = stood_still_since(part) + grace_;
  findings_.add("leaders", leader, at, [&] {
    return name_of(leader) + " is cut off from leader " +
           std::to_string(other.leaders.front().value) +
           findings_.trail<agents::LeadersLinked>(
               [&](const auto& noted) {
                 return noted.peer == leader || noted.fact.leader == leader;
               },
               at);
  });
}

}  // namespace rhizome::scenarios
