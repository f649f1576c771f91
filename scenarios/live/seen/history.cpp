#include "scenarios/live/seen/history.hpp"

#include <algorithm>
#include <iterator>

namespace rhizome::scenarios::live {

namespace {

std::size_t bytes_of(const Frame& frame) {
  std::size_t facts = 0;
  for (const LiveFact& fact : frame.facts.facts)
    facts += sizeof(LiveFact) + fact.payload.capacity();
  return sizeof(Frame) + facts + frame.rows.capacity() * sizeof(std::uint64_t) +
         frame.extras.past.capacity() * sizeof(Moment) +
         (frame.extras.views ? frame.extras.views->list.capacity() * sizeof(std::uint64_t) : 0);
}

}  // namespace

// A frame that needs none before it begins a stretch, for the one before may be of another run.
void SeenHistory::add(const Frame& frame, const State& after) {
  if (stretches_.empty() || frame.since == 0 ||
      stretches_.back().frames.size() == frames_of_a_stretch)
    stretches_.push_back({.first = end_, .state = after, .bytes = after.bytes()});
  else
    stretches_.back().frames.push_back(frame);
  const std::size_t more = stretches_.back().first == end_ ? after.bytes() : bytes_of(frame);
  if (stretches_.back().first != end_) stretches_.back().bytes += more;
  bytes_ += more;
  ++end_;
  while (bytes_ > most_bytes_ && stretches_.size() > 1) {
    bytes_ -= stretches_.front().bytes;
    stretches_.pop_front();
  }
  begin_ = stretches_.front().first;
}

auto SeenHistory::stretch_of(std::uint64_t number) const -> const Stretch& {
  return *std::prev(std::ranges::upper_bound(stretches_, number, {}, &Stretch::first));
}

core::Duration SeenHistory::real_time(std::uint64_t number) const {
  const Stretch& stretch = stretch_of(number);
  return number == stretch.first ? stretch.state.frame().real
                                 : stretch.frames[number - stretch.first - 1].real;
}

State SeenHistory::at(std::uint64_t number) const {
  const Stretch& stretch = stretch_of(number);
  State state = stretch.state;
  for (std::uint64_t i = stretch.first; i < number; ++i)
    static_cast<void>(state.apply(stretch.frames[i - stretch.first]));
  return state;
}

}  // namespace rhizome::scenarios::live
