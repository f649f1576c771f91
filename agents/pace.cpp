#include "agents/pace.hpp"

#include <algorithm>
#include <cmath>

namespace rhizome::agents {

double pace_of(const Profile& profile, TimeFor use) {
  const double task = profile.mean_task();
  if (use == TimeFor::work) return std::max(1.0, task / 100);
  const double recovery = std::max(1.0, std::min(task * task / 400, task / 8));
  if (use == TimeFor::rest) return std::min(recovery, 8.0);
  return use == TimeFor::freshness ? recovery * std::min(recovery, 16.0) : recovery;
}

core::Duration in_pace(core::Duration unsaid, const Profile& profile, TimeFor use) {
  const double pace = pace_of(profile, use);
  if (pace <= 1) return unsaid;
  const core::Duration exact = core::from_seconds(core::seconds(unsaid) * pace);
  if (exact < std::chrono::seconds(10)) return std::chrono::round<std::chrono::milliseconds>(exact);
  return std::chrono::round<std::chrono::seconds>(exact);
}

std::int64_t in_pace(std::int64_t unsaid, const Profile& profile, TimeFor use) {
  return std::llround(static_cast<double>(unsaid) * pace_of(profile, use));
}

std::string_view rule_of(TimeFor use) {
  switch (use) {
    case TimeFor::freshness:
      return "Left unsaid, it is longer where the mean task takes more than 20 s: by as many times "
             "as time-outs left unsaid are, and up to sixteen times that.";
    case TimeFor::work:
      return "Left unsaid, it is longer where the mean task takes more than 100 s: by as many "
             "times as that is longer.";
    case TimeFor::rest:
      return "Left unsaid, it is more where the mean task takes more than 20 s: as many times as "
             "time-outs left unsaid are longer, up to eight times.";
    case TimeFor::recovery:
      break;
  }
  return "Left unsaid, it is longer where the mean task takes more than 20 s: from 50 s on by as "
         "many times as that is longer than 8 s.";
}

}  // namespace rhizome::agents
