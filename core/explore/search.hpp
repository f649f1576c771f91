// A search through all histories of a system, depth first. Two methods avoid repeated work: sleep
// sets (Godefroid, Partial-Order Methods, LNCS 1032, 1996, chapters 5 and 6), by which only one of
// two orders of commuting events is tried; and the set of known states. Each history that is left
// out is equivalent to one that was tried.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/explore/system.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::core {

// A history, by its choices, and the rule that it breaks.
struct BrokenHistory {
  std::vector<Choice> choices;
  Broken broken;
};

struct SearchLimits {
  std::size_t depth = 1000;            // choices in a history; longer ones are cut there
  std::uint64_t states = 100'000'000;  // states told apart at most; each costs some 80 bytes
  std::function<bool()> enough{};  // asked before each event: whether the search took long enough
};

// What the search has counted.
struct SearchCounts {
  std::uint64_t histories = 0;  // histories that came to their end
  std::uint64_t cut = 0;        // histories that were too long
  std::uint64_t known = 0;      // histories that led to a state from where all had been tried
  std::uint64_t states = 0;
  std::uint64_t events = 0;  // events that were tried for the first time
  std::uint64_t again = 0;   // events that were repeated to go back
  std::size_t longest = 0;
};

class Search {
 public:
  Search(System& system, SearchLimits limits) : system_(system), limits_(std::move(limits)) {}

  // Searches until all histories have been seen, a rule is broken or a limit is reached. Once.
  void explore();
  // Tries one random history, in which rare choices are rare; its states are not remembered. It is
  // cut where `stop` returns true.
  void walk(Rng& rng, const std::function<bool()>& stop = {});

  [[nodiscard]] const SearchCounts& counts() const { return counts_; }
  // Whether each history was tried, or differs from one that was tried only in the order of events
  // that commute.
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] const std::optional<BrokenHistory>& broken() const { return broken_; }

 private:
  struct Frame {
    std::vector<Choice> todo;
    std::vector<Choice> asleep;  // tried before, and no event since then matters to them
    std::size_t next = 0;
  };
  // How a state was left: the choices that were not tried from it, and how far it is from the
  // beginning.
  struct VisitedState {
    std::vector<Fingerprint> asleep;
    std::size_t depth;
  };

  // Looks at the state that the history has led to; returns whether there is a choice to try from
  // there.
  bool enter(std::vector<Choice> asleep);
  [[nodiscard]] std::vector<Choice> untried(const std::vector<Choice>& choices,
                                            std::vector<Choice>& asleep);
  void descend();
  void leave();
  // Brings the system to the end of the history again. Returns false if the search took long
  // enough meanwhile.
  [[nodiscard]] bool catch_up();
  bool found(Broken broken);
  void end(bool over, bool fresh);
  [[nodiscard]] bool spent();

  System& system_;
  SearchLimits limits_;
  SearchCounts counts_;
  std::vector<Choice> history_;
  std::vector<Frame> frames_;
  std::unordered_map<Fingerprint, VisitedState> known_;  // never iterated
  std::optional<BrokenHistory> broken_;
  bool current_ = false;  // the system is at the end of the history
  bool exhausted_ = false;
};

}  // namespace rhizome::core
