// A search for a story: all facts about one task or of one peer, in logs of many millions of facts.
// The search reads in slices, so that it delays neither the run nor other monitors. It ends also
// where the run adds facts faster than the search reads, since it reads only what there was at its
// first slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/engine/board.hpp"
#include "scenarios/live/messages.hpp"

namespace rhizome::scenarios::live {

class StorySearch {
 public:
  // The last facts of a peer, or the first of a task.
  static constexpr std::size_t most_found = 1000;

  explicit StorySearch(const Story& story);

  [[nodiscard]] const Story& story() const { return story_; }
  // Reads at most `most` facts. The board must be the same each time. Facts that are noted after
  // the first call are left out.
  void read(const core::Board& board, std::size_t most);
  [[nodiscard]] bool is_over() const { return over_; }
  // All facts that were found so far.
  [[nodiscard]] FoundFacts found() const;

 private:
  void look_at(core::PeerId peer, core::Time at, const core::EncodedFact& fact);
  [[nodiscard]] bool is_meant(const core::EncodedFact& fact) const;

  Story story_;
  core::Bytes task_;               // as it is encoded in facts
  std::vector<std::size_t> ends_;  // the facts of each peer at the first slice
  std::uint32_t peer_ = 0;
  core::FactLog::Cursor cursor_{};
  std::uint64_t searched_ = 0;
  bool over_ = false;
  std::deque<LiveFact> found_;
};

}  // namespace rhizome::scenarios::live
