// The graph of leaders, which must stay connected, as facts tell of it.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

// A part of the graph is cut off wrongly when it stood still for longer than a mistake may last.
class LeaderGraph {
 public:
  LeaderGraph(Duration grace, Findings& findings) : grace_(grace), findings_(findings) {}

  void lead(core::PeerId peer, Time at);
  // It follows somebody now, or is gone.
  void retire(core::PeerId peer, Time at);
  // Gone with all its edges.
  void bury(core::PeerId peer, Time at);
  // Either end may say that an edge came or went.
  void link(core::PeerId a, core::PeerId b, bool present, Time at);
  void pause(Time at);
  void resume(Time at);
  void finish(Time at) { advance(at); }

  [[nodiscard]] const Judged& judged() const { return judged_; }

 private:
  // Leaders that reach each other.
  struct Part {
    std::vector<core::PeerId> leaders;
    Time changed;  // the youngest change of any of them
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
  Judged judged_{.invariant = "leaders"};
  std::set<core::PeerId> leaders_;
  std::map<core::PeerId, std::set<core::PeerId>> edges_;
  std::map<core::PeerId, Time> changed_;
  std::vector<Part> parts_;
  bool current_ = true;  // the parts are those of now
  bool paused_ = false;
  Time now_{};
};

}  // namespace rhizome::scenarios
