// A search through all histories of a system, depth first. Two things keep it from walking the same
// way twice: sleep sets (Godefroid, Partial-Order Methods, LNCS 1032, 1996, chapters 5 and 6), by
// which of two orders of events that commute only one is tried; and the states that are known
// already. Nothing is left out that could be told from what was tried.
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
  std::uint64_t states = 100'000'000;  // that are told apart; each costs some 80 bytes
  std::function<bool()> enough{};      // asked now and then: whether it took long enough
};

// What was seen.
struct SearchCounts {
  std::uint64_t histories = 0;  // that came to their end
  std::uint64_t cut = 0;        // that were too long
  std::uint64_t known = 0;      // that led to a state from where all had been tried
  std::uint64_t states = 0;
  std::uint64_t events = 0;  // that led somewhere for the first time
  std::uint64_t again = 0;   // that were repeated to go back
  std::size_t longest = 0;
};

class Search {
 public:
  Search(System& system, SearchLimits limits) : system_(system), limits_(std::move(limits)) {}

  // Until all has been seen, something is broken or a limit is reached. Once.
  void explore();
  // One history by chance, in which rare things are rare; nothing of it is remembered.
  void walk(Rng& rng);

  [[nodiscard]] const SearchCounts& counts() const { return counts_; }
  // Whether there is no history that was not tried, or one that is the same but for the order of
  // events that commute.
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] const std::optional<BrokenHistory>& broken() const { return broken_; }

 private:
  struct Frame {
    std::vector<Choice> todo;
    std::vector<Choice> asleep;  // tried before, and nothing has happened since that matters to it
    std::size_t next = 0;
  };
  // How a state was left: what of it was not tried, and how far it is from the beginning.
  struct VisitedState {
    std::vector<Fingerprint> asleep;
    std::size_t depth;
  };

  // Looks at the state that the history has led to; whether there is something to try from there.
  bool enter(std::vector<Choice> asleep);
  [[nodiscard]] std::vector<Choice> untried(const std::vector<Choice>& choices,
                                            std::vector<Choice>& asleep);
  void descend();
  void leave();
  // Brings the system to the end of the history again.
  void catch_up();
  bool found(Broken broken);
  void end(bool over, bool fresh);
  [[nodiscard]] bool spent();

  System& system_;
  SearchLimits limits_;
  SearchCounts counts_;
  std::vector<Choice> history_;
  std::vector<Frame> frames_;
  std::unordered_map<Fingerprint, VisitedState> known_;  // never walked through
  std::optional<BrokenHistory> broken_;
  bool current_ = false;  // the system is at the end of the history
  bool exhausted_ = false;
  std::uint64_t looks_ = 0;  // at the clock
};

}  // namespace rhizome::core
