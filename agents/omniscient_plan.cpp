#include "agents/omniscient_plan.hpp"

#include <algorithm>
#include <optional>

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
    if (task.cpus > capacity_.slots || task.memory > capacity_.memory) return {};
    Time at = std::max(arrival, last_start_);
    while (!has_room(task, at)) at = first_end_after(at);
    return at;
  }
  // Returns when it will end.
  Time book(const Task& task, Time start) {
    std::erase_if(bookings_, [start](const Booking& b) { return b.end <= start; });
    const auto slowed = std::chrono::duration<double, std::nano>(task.duration) / capacity_.speed;
    const Time end = start + std::chrono::duration_cast<Duration>(slowed);
    bookings_.push_back({end, task.cpus, task.memory});
    last_start_ = start;
    return end;
  }

  [[nodiscard]] Time last_start() const { return last_start_; }

 private:
  struct Booking {
    Time end;
    std::uint32_t cpus;
    double memory;
  };
  // Something runs at that time, or there would be room.
  [[nodiscard]] Time first_end_after(Time at) const {
    Time first = Time::max();
    for (const Booking& booking : bookings_)
      if (booking.end > at) first = std::min(first, booking.end);
    return first;
  }
  [[nodiscard]] bool has_room(const Task& task, Time at) const {
    std::uint32_t cpus = task.cpus;
    double memory = task.memory;
    for (const Booking& booking : bookings_)
      if (booking.end > at) {
        cpus += booking.cpus;
        memory += booking.memory;
      }
    return cpus <= capacity_.slots && memory <= capacity_.memory;
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
  plan.of.resize(calendars.size());
  for (const Job& job : world.workload.jobs)
    for (const Task& task : job.portions) {
      if (stopped()) return plan;
      const auto [peer, start] = choose(calendars, task, job.arrival + reaction);
      plan.end = std::max(plan.end, calendars[peer].book(task, start));
      plan.of[peer].push_back(&task);
    }
  return plan;
}

}  // namespace rhizome::agents
