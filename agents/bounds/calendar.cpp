#include "agents/bounds/calendar.hpp"

#include <iterator>

#include "agents/service_time.hpp"

namespace rhizome::agents::bounds {

using core::Duration;
using core::Time;

Duration Calendar::service(const Task& task) const { return service_time(task, capacity_.speed); }

// After the last booking there is unlimited room. A task that takes no time needs room at one
// moment only, which belongs to the later of two segments that meet there.
std::optional<Time> Calendar::earliest(const Task& task, Time ready) const {
  const Resources needs = resources_of(task);
  if (!needs.within(capacity_.room())) return {};
  const Duration length = service(task);
  Time at = ready;
  for (auto segment = std::prev(used_.upper_bound(ready));; ++segment) {
    const auto next = std::next(segment);
    if (!(segment->second + needs).within(capacity_.room())) {
      at = next->first;
    } else if (next == used_.end() || next->first >= end_of(at, length)) {
      return at;
    }
  }
}

Calendar::Usage::iterator Calendar::split(Time at) {
  const auto segment = std::prev(used_.upper_bound(at));
  return segment->first == at ? segment
                              : used_.emplace_hint(std::next(segment), at, segment->second);
}

Time Calendar::book(const Task& task, Time start) {
  const Time end = end_of(start, service(task));
  const auto last = split(end);
  for (auto segment = split(start); segment != last; ++segment)
    segment->second = segment->second + resources_of(task);
  return end;
}

void Calendar::forget_before(Time time) {
  const auto first = std::prev(used_.upper_bound(time));
  used_.erase(used_.begin(), first);
}

}  // namespace rhizome::agents::bounds
