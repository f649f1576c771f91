#include "scenarios/live/search.hpp"

#include <algorithm>

#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/fact_task.hpp"

namespace rhizome::scenarios::live {

namespace {

std::vector<std::size_t> sizes_of(const core::Board& board) {
  std::vector<std::size_t> sizes(board.peers());
  for (std::uint32_t i = 0; i < board.peers(); ++i)
    if (board.shows(core::PeerId{i})) sizes[i] = board.facts(core::PeerId{i}).size();
  return sizes;
}

}  // namespace

StorySearch::StorySearch(const Story& story) : story_(story) {
  if (story.task) core::encode(*story.task, task_);
}

void StorySearch::read(const core::Board& board, std::size_t most) {
  const bool of_one = !story_.task && story_.peer;
  const std::uint32_t end =
      of_one ? std::min(story_.peer->value + 1, board.peers()) : board.peers();
  if (of_one) peer_ = std::max(peer_, std::min(story_.peer->value, end));
  if (ends_.empty()) ends_ = sizes_of(board);
  while (most > 0 && peer_ < end) {
    const core::PeerId peer{peer_};
    const std::size_t left = ends_[peer_] - cursor_.count();
    if (left > 0)
      board.facts(peer).read(
          cursor_, [&](core::Time at, const core::EncodedFact& fact) { look_at(peer, at, fact); },
          std::min(left, most));
    const std::size_t count = std::min(left, most);
    searched_ += count;
    most -= count;
    if (count < left) return;
    ++peer_;
    cursor_ = {};
  }
  over_ = over_ || peer_ >= end;
}

void StorySearch::look_at(core::PeerId peer, core::Time at, const core::EncodedFact& fact) {
  if (!is_meant(fact) || (story_.task && found_.size() == most_found)) return;
  found_.push_back(
      {at, peer, fact_kind_of(*fact.info), {fact.payload.begin(), fact.payload.end()}});
  if (found_.size() > most_found) found_.pop_front();
}

// The bytes of the task are in few others, which is quicker to see than to read them all.
bool StorySearch::is_meant(const core::EncodedFact& fact) const {
  if (!story_.task) return true;
  if (std::search(fact.payload.begin(), fact.payload.end(), task_.begin(), task_.end()) ==
      fact.payload.end())
    return false;
  return task_of(fact.info->name, {fact.payload.begin(), fact.payload.end()}) == story_.task;
}

FoundFacts StorySearch::found() const {
  FoundFacts facts{.number = story_.number,
                   .whole = over_,
                   .searched = searched_,
                   .facts = {found_.begin(), found_.end()}};
  std::ranges::stable_sort(facts.facts,
                           [](const LiveFact& a, const LiveFact& b) { return a.at < b.at; });
  return facts;
}

}  // namespace rhizome::scenarios::live
