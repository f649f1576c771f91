// The graph of leaders, which must stay connected, built from facts.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

// A separate part of the graph is a violation when it did not change for longer than `grace`.
class LeaderGraph {
 public:
  LeaderGraph(Duration grace, Findings& findings) : grace_(grace), findings_(findings) {}

  void lead(core::PeerId peer, Time at);
  // The peer follows a leader now, or is gone.
  void retire(core::PeerId peer, Time at);
  // Removes the peer with all its edges.
  void bury(core::PeerId peer, Time at);
  // Either end may report that an edge was added or removed.
  void link(core::PeerId a, core::PeerId b, bool present, Time at);
  void pause(Time at);
  void resume(Time at);
  void finish(Time at) { advance(at); }

  [[nodiscard]] Judged judged() const { return times_.of("leaders"); }

 private:
  // A set of leaders that reach each other.
  struct Part {
    std::vector<core::PeerId> leaders;
    Time changed;  // the latest change of any of these leaders
  };
  // Judges the graph as it stood until now.
  void advance(Time at);
  void find_parts();
  [[nodiscard]] Time stood_still_since(const Part& part) const;
  [[nodiscard]] Part part_of(core::PeerId leader, std::set<core::PeerId>& left) const;
  void report(const Part& part);
  void touch(core::PeerId peer, Time at);

  Duration grace_;
  Findings& findings_;
  PeerTimes times_;
  std::set<core::PeerId> leaders_;
  std::map<core::PeerId, std::set<core::PeerId>> edges_;
  std::map<core::PeerId, Time> changed_;
  std::vector<Part> parts_;
  bool current_ = true;  // whether parts_ is up to date
  bool paused_ = false;
  Time now_{};
};

}  // namespace rhizome::scenarios
