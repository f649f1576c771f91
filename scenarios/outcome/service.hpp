// The service that servers of one processor gave, from the starts and ends of tasks, beside the
// service that they report for each task: two accounts that must agree.
#pragma once

#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// A busy period: from when a server began a task, with no other begun, until no begun task was
// left, or it died.
struct BusyPeriod {
  core::PeerId peer;
  Time began{};
  Time ended{};
  Duration took{0};          // by tasks that ended
  Duration lost{0};          // had by those that were given up, or were there when the peer died
  bool interrupted = false;  // a task was begun before another had ended
  bool cut = false;          // the peer died
};
// The busy periods of all servers of one processor that had tasks; empty if the scheduler's peers
// are no servers.
[[nodiscard]] std::vector<BusyPeriod> busy_periods(const Outcome& outcome);

}  // namespace rhizome::scenarios
