// Relations between runs (metamorphic tests): the right duration of one run is unknown, but it is
// known how it must compare with that of a run that differs from it in a known way.
#pragma once

#include <string>

#include "test/fuzz/protocol/judge.hpp"

namespace rhizome::fuzz {

// Which of these do not hold of a scenario of one scheduler without faults:
//   times    where every time is twice as long, tasks, delays and all that the scheduler waits for,
//            the makespan is. Tasks, speeds and delays are made such that nothing is rounded; a
//            phase that a peer draws within its period is rounded to a nanosecond all the same, so
//            that makespans of schedulers that draw some may be a microsecond apart
//   speeds   where tasks are twice as long and peers twice as fast, every task begins and ends at
//            the same time at the same peer
//   order    what a scheduler is called, and which others run before it, changes nothing
//   at once  how many runs go on at once, and which shares they are divided into, changes nothing
[[nodiscard]] Verdict judge_relations(const std::string& scenario);

}  // namespace rhizome::fuzz
