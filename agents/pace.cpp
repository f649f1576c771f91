#include "agents/pace.hpp"

#include <algorithm>
#include <cmath>

#include "agents/scheduler.hpp"

namespace rhizome::agents {

namespace {

double pace_of_tasks(const World& world) {
  const double task = world.profile.mean_task();
  return std::max(1.0, std::min(task * task / 400, task / 8));
}

// A time-out of 2 s is enough for four delays of half a second. With longer delays it becomes five
// delays, because it is rounded.
double pace_of_packets(const World& world) {
  const double delay = core::seconds(world.longest_way());
  return delay <= 0.5 ? 1.0 : 5 * delay / 2;
}

}  // namespace

double pace_of(const World& world, TimeoutPurpose use) {
  const double tasks = pace_of_tasks(world);
  switch (use) {
    case TimeoutPurpose::work:
      return std::max(1.0, world.profile.mean_task() / 100);
    case TimeoutPurpose::rest:
      return std::min(tasks, 8.0);
    case TimeoutPurpose::freshness:
      return tasks * std::min(tasks, 16.0);
    case TimeoutPurpose::recovery:
      break;
  }
  return std::max(tasks, pace_of_packets(world));
}

bool waits_for_packets(const World& world) { return pace_of_packets(world) > pace_of_tasks(world); }

core::Duration in_pace(core::Duration unsaid, const World& world, TimeoutPurpose use) {
  const double pace = pace_of(world, use);
  if (pace <= 1) return unsaid;
  const core::Duration exact = core::from_seconds(core::seconds(unsaid) * pace);
  if (exact < std::chrono::seconds(10)) return std::chrono::round<std::chrono::milliseconds>(exact);
  return std::chrono::round<std::chrono::seconds>(exact);
}

std::int64_t in_pace(std::int64_t unsaid, const World& world, TimeoutPurpose use) {
  return std::llround(static_cast<double>(unsaid) * pace_of(world, use));
}

std::string_view rule_of(TimeoutPurpose use) {
  switch (use) {
    case TimeoutPurpose::freshness:
      return "If it is not set, it is longer where the mean task takes more than 20 s: by the "
             "factor "
             "of the time-outs that are not set, and by up to sixteen times that factor.";
    case TimeoutPurpose::work:
      return "If it is not set, it is longer where the mean task takes more than 100 s: in the "
             "same "
             "ratio.";
    case TimeoutPurpose::rest:
      return "If it is not set, it is more where the mean task takes more than 20 s: by the factor "
             "of the time-outs that are not set, up to eight times.";
    case TimeoutPurpose::recovery:
      break;
  }
  return "If it is not set, it is longer where the mean task takes more than 20 s: from 50 s on by "
         "the ratio of the mean task to 8 s; and where a packet may take more than half a second: "
         "so that 2 s become at least five times the time of that packet.";
}

}  // namespace rhizome::agents
