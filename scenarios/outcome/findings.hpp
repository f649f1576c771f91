// What checkers of invariants share: a list of violations that stays short, and the words for
// facts.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

class Findings {
 public:
  explicit Findings(const Outcome& outcome) : outcome_(outcome) {}

  // Adds a violation unless there are ten of its kind. `describe` is called only if it is added,
  // because a trail of facts is long to look for.
  template <class Describe>
  void add(const char* invariant, core::PeerId peer, Time at, Describe describe) {
    constexpr std::ptrdiff_t most = 10;
    const auto same = std::count_if(violations_.begin(), violations_.end(),
                                    [=](const Violation& v) { return v.invariant == invariant; });
    if (same < most) violations_.push_back({invariant, peer, at, describe()});
  }

  // The last facts for which `about` holds, oldest first.
  template <class About>
  [[nodiscard]] std::string trail(About about) const {
    constexpr std::size_t most = 5;
    std::vector<const FactOutcome*> found;
    for (auto fact = outcome_.facts.rbegin(); fact != outcome_.facts.rend() && found.size() < most;
         ++fact)
      if (about(*fact)) found.push_back(&*fact);
    std::reverse(found.begin(), found.end());
    return told(found);
  }

  [[nodiscard]] std::vector<Violation> take() { return std::move(violations_); }

 private:
  [[nodiscard]] static std::string told(const std::vector<const FactOutcome*>& facts);

  const Outcome& outcome_;
  std::vector<Violation> violations_;
};

// "peer 7", "nobody".
[[nodiscard]] std::string name_of(core::PeerId peer);

// Nobody crashed, and no packet was lost or doubled by the network.
[[nodiscard]] bool faultless(const Outcome& outcome);

// How long the views of several peers may differ before that is wrong: in a run without faults a
// few ways through the network; else as long as the slowest sensible failure detector may take.
[[nodiscard]] Duration settling_time(const Outcome& outcome);

// Is a peer of the run, and lives at its end.
[[nodiscard]] bool lives(const Outcome& outcome, core::PeerId peer);

// The checkers of structures, in structures.cpp.
void check_trees(const Outcome& outcome, Findings& findings);
void check_groups(const Outcome& outcome, Findings& findings);

}  // namespace rhizome::scenarios
