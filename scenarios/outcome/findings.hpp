// What the checkers of invariants share: a short list of violations, and trails of facts.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/outcome/fact_text.hpp"
#include "scenarios/outcome/invariants.hpp"

namespace rhizome::scenarios {

class Findings {
 public:
  explicit Findings(const Outcome& outcome) : outcome_(outcome) {}

  // Adds a violation unless there are ten of its kind. `describe` is called only if the violation
  // is added, because a search for a trail of facts takes long.
  template <class Describe>
  void add(InvariantName name, core::PeerId peer, Time at, Describe describe) {
    constexpr std::ptrdiff_t most = 10;
    const std::string invariant = name.text();
    const auto same = std::ranges::count_if(
        made_.violations, [&](const Violation& v) { return v.invariant == invariant; });
    if (same < most) made_.violations.push_back({invariant, peer, at, describe()});
  }

  // The last facts, of the types F or of all types, for which `about` holds up to a time, oldest
  // first.
  template <core::one_of<KnownFacts>... F, class About>
  requires(sizeof...(F) > 0) [[nodiscard]] std::string
      trail(About about, Time until = Time::max(), std::size_t most = longest_trail) const {
    Told found;
    (add_last(outcome_.facts.of<F>(), about, until, most, found), ...);
    return told(std::move(found), most);
  }
  template <class About>
  [[nodiscard]] std::string trail_of_all(About about, Time until = Time::max()) const {
    Told found;
    outcome_.facts.for_each_type(
        [&](auto, const auto& column) { add_last(column, about, until, longest_trail, found); });
    return told(std::move(found), longest_trail);
  }

  // Adds to the time over which that invariant was judged.
  void judged(const Judged& part) { add_judged(made_.judged, part); }

  [[nodiscard]] Examination take() { return std::move(made_); }

 private:
  using Told = std::vector<std::pair<FactPlace, std::string>>;
  static constexpr std::size_t longest_trail = 5;

  template <class F, class About>
  static void add_last(const std::vector<Noted<F>>& column, About& about, Time until,
                       std::size_t most, Told& found) {
    std::size_t added = 0;
    for (auto noted = column.rbegin(); noted != column.rend() && added < most; ++noted) {
      if (noted->at > until || !about(*noted)) continue;
      found.emplace_back(*noted, text_of(*noted));
      ++added;
    }
  }
  [[nodiscard]] static std::string told(Told facts, std::size_t most);

  const Outcome& outcome_;
  Examination made_;
};

// "task 3.1".
[[nodiscard]] std::string name_of(agents::TaskId id);
// The last facts about a task.
[[nodiscard]] std::string trail_of(agents::TaskId id, const Findings& findings);

// Whether no peer crashed or restarted, and the network lost or duplicated no packet.
[[nodiscard]] bool faultless(const Outcome& outcome);
// Whether a message that is not there by its timeout is lost. False where threads were late or
// lines were full.
[[nodiscard]] bool punctual(const Outcome& outcome);
// Whether packets waited before lines for so long that a sender may take an answer for lost, and
// repeat a message that has arrived.
[[nodiscard]] bool congested(const Outcome& outcome);
// Whether threads were so late that the run is invalid: a peer that waits for seconds takes the
// silent peer for crashed.
[[nodiscard]] bool too_late(const Outcome& outcome);

// The checkers of how often tasks ran, in repetition.cpp, of whether they did and in what order, in
// precedence.cpp, of the makespan, in timeliness.cpp, of structures, in trees.cpp and groups.cpp,
// of files, in file_checks.cpp, and of tasks that locators find, in locator_checks.cpp.
void check_repetition(const Outcome& outcome, Findings& findings);
void check_executed(const Outcome& outcome, Findings& findings);
void check_precedence(const Outcome& outcome, Findings& findings);
void check_timeliness(const Outcome& outcome, Findings& findings);
void check_trees(const Outcome& outcome, Findings& findings);
void check_groups(const Outcome& outcome, Findings& findings);
void check_outputs(const Outcome& outcome, Findings& findings);
void check_locators(const Outcome& outcome, Findings& findings);
// The checker of the service that servers gave, in service_checks.cpp.
void check_service(const Outcome& outcome, Findings& findings);

}  // namespace rhizome::scenarios
