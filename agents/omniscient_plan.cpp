#include "agents/omniscient_plan.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "agents/service_time.hpp"

namespace rhizome::agents {

namespace {

using core::Duration;
using core::Time;

// When the tasks of a first-in first-out peer run, all known beforehand.
class Calendar {
 public:
  explicit Calendar(const Capacity& capacity) : capacity_(capacity) {}

  // The earliest time from `arrival` on, and after all that was booked before, with room for it;
  // nothing when it never fits.
  [[nodiscard]] std::optional<Time> earliest(const Task& task, Time arrival) const {
    if (!resources_of(task).within(capacity_.room())) return {};
    Time at = std::max(arrival, last_start_);
    while (!has_room(task, at)) at = first_end_after(at);
    return at;
  }
  // Returns when it will end.
  Time book(const Task& task, Time start) {
    std::erase_if(bookings_, [start](const Booking& b) { return b.end <= start; });
    const Time end = start + service_time(task, capacity_.speed);
    bookings_.push_back({end, resources_of(task)});
    last_start_ = start;
    return end;
  }

  [[nodiscard]] Time last_start() const { return last_start_; }

 private:
  struct Booking {
    Time end;
    Resources needs;
  };
  // Something runs at that time, or there would be room.
  [[nodiscard]] Time first_end_after(Time at) const {
    Time first = Time::max();
    for (const Booking& booking : bookings_)
      if (booking.end > at) first = std::min(first, booking.end);
    return first;
  }
  [[nodiscard]] bool has_room(const Task& task, Time at) const {
    Resources needed = resources_of(task);
    for (const Booking& booking : bookings_)
      if (booking.end > at) needed = needed + booking.needs;
    return needed.within(capacity_.room());
  }

  Capacity capacity_;
  std::vector<Booking> bookings_;  // those that end after the last start
  Time last_start_{};
};

// The calendar in which a task starts first, and when.
struct Choice {
  std::size_t peer = 0;
  Time start = Time::max();
};

Choice choose(const std::vector<Calendar>& calendars, const Task& task, Time at) {
  Choice best;
  for (std::size_t peer = 0; peer < calendars.size() && best.start > at; ++peer) {
    if (calendars[peer].last_start() >= best.start) continue;
    const auto start = calendars[peer].earliest(task, at);
    if (start && *start < best.start) best = {peer, *start};
  }
  return best;
}

}  // namespace

OmniscientPlan plan_for(const World& world, Duration reaction,
                        const std::function<bool()>& stopped) {
  std::vector<Calendar> calendars(world.capacities.begin(), world.capacities.end());
  OmniscientPlan plan;
  const std::unique_ptr<Arrivals> arrivals = world.arrivals();
  while (const std::optional<Job> job = arrivals->next()) {
    std::vector<core::PeerId>& peers = plan.peers.emplace_back();
    for (const Task& task : job->portions) {
      if (stopped()) return plan;
      const auto [peer, start] = choose(calendars, task, job->arrival + reaction);
      plan.end = std::max(plan.end, calendars[peer].book(task, start));
      peers.emplace_back(static_cast<std::uint32_t>(peer));
    }
  }
  return plan;
}

}  // namespace rhizome::agents
