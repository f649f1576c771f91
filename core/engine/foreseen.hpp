// What is known of a run before its first event, for observers.
#pragma once

#include <vector>

#include "core/engine/fault.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// A time in which the network is parted.
struct Parting {
  Time from{};
  Time until{};
  friend bool operator==(const Parting&, const Parting&) = default;
};

struct Foreseen {
  std::vector<Fault> faults{};  // ascending by time
  std::vector<Parting> partings{};
  std::vector<double> speeds{};  // by peer
  Duration lag_tolerance{0};     // of threads
  bool at_least_once = false;    // what the scheduler promises of tasks
  Duration limit{0};             // after which the run is given up
  friend bool operator==(const Foreseen&, const Foreseen&) = default;
};

}  // namespace rhizome::core
