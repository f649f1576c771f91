// The wardens of this process (warden.cpp), and the guard behind them. A child may kill or stop
// both of its wardens, since it is a program of the same user. Its orphaned descendants are then
// inherited by this process, which is their subreaper (prctl(2)), and are killed here.
#pragma once

#include <string>
#include <vector>

#include "core/child/launch.hpp"

namespace rhizome::core {

// The number of the process. `words` are its path and its arguments. Throws std::runtime_error
// where the system refuses it. From any thread, as what follows.
[[nodiscard]] int begin_warden(const ProcessLaunch& launch, std::vector<std::string> words);

// Waits for the end of a warden that has no work left, and kills it where it takes longer than
// seconds: it may be stopped. A warden that was killed, by us or by its child, leaves processes
// behind, which are killed here.
void end_warden(int warden);

}  // namespace rhizome::core
