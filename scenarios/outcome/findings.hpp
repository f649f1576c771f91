// What checkers of invariants share: a list of violations that stays short, and the words for
// facts.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/outcome/invariants.hpp"
#include "scenarios/outcome/line_facts.hpp"

namespace rhizome::scenarios {

class Findings {
 public:
  explicit Findings(const Outcome& outcome) : outcome_(outcome) {}

  // Adds a violation unless there are ten of its kind. `describe` is called only if it is added,
  // because a trail of facts is long to look for.
  template <class Describe>
  void add(const char* invariant, core::PeerId peer, Time at, Describe describe) {
    constexpr std::ptrdiff_t most = 10;
    const auto same = std::count_if(made_.violations.begin(), made_.violations.end(),
                                    [=](const Violation& v) { return v.invariant == invariant; });
    if (same < most) made_.violations.push_back({invariant, peer, at, describe()});
  }

  // The last facts up to a time for which `about` holds, oldest first. What lines carried explains
  // nothing.
  template <class About>
  [[nodiscard]] std::string trail(About about, Time until = Time::max()) const {
    constexpr std::size_t most = 5;
    std::vector<const FactOutcome*> found;
    for (auto fact = outcome_.facts.rbegin(); fact != outcome_.facts.rend() && found.size() < most;
         ++fact)
      if (fact->at <= until && !is_line_fact(*fact) && about(*fact)) found.push_back(&*fact);
    std::reverse(found.begin(), found.end());
    return told(found);
  }

  // Adds to what is known of that invariant.
  void judged(const Judged& part) { add_judged(made_.judged, part); }

  [[nodiscard]] Examination take() { return std::move(made_); }

 private:
  [[nodiscard]] static std::string told(const std::vector<const FactOutcome*>& facts);

  const Outcome& outcome_;
  Examination made_;
};

// "peer 7", "nobody".
[[nodiscard]] std::string name_of(core::PeerId peer);

// Nobody crashed, and no packet was lost or doubled by the network.
[[nodiscard]] bool faultless(const Outcome& outcome);

// The checkers of structures, in trees.cpp and groups.cpp.
void check_trees(const Outcome& outcome, Findings& findings);
void check_groups(const Outcome& outcome, Findings& findings);

}  // namespace rhizome::scenarios
