// A search for a story: all that was noted of one task or by one peer, out of logs that hold many
// millions of facts. It goes on in slices, so that nobody waits for it.
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
  static constexpr std::size_t most_found = 1000;  // of a peer the last, of a task the first

  explicit StorySearch(const Story& story);

  [[nodiscard]] const Story& story() const { return story_; }
  // Reads so many facts at most, of the same board each time. What is noted of peers that it has
  // read already is left out.
  void read(const core::Board& board, std::size_t most);
  [[nodiscard]] bool is_over() const { return over_; }
  // All that was found so far.
  [[nodiscard]] Facts found() const;

 private:
  void look_at(core::PeerId peer, core::Time at, const core::EncodedFact& fact);
  [[nodiscard]] bool is_meant(const core::EncodedFact& fact) const;

  Story story_;
  core::Bytes task_;  // as it travels
  std::uint32_t peer_ = 0;
  core::FactLog::Cursor cursor_{};
  std::uint64_t searched_ = 0;
  bool over_ = false;
  std::deque<LiveFact> found_;
};

}  // namespace rhizome::scenarios::live
