// How faithful the thread engine was to the time it emulates.
#pragma once

#include <vector>

#include "core/peer/histogram.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// An interval in which a peer's thread was late: from the moment when its start, a packet, a timer
// or an end of work was due, or a handler began, until it was handled.
struct Stall {
  PeerId peer;
  Time from{};
  Time until{};
  friend bool operator==(const Stall&, const Stall&) = default;
};

// All zero in virtual time. Lags and handlers in emulated nanoseconds: how late a packet, a timer
// or an end of work was handled.
struct Fidelity {
  Histogram packet_lag;
  Histogram crossing_lag;   // of packets from other processes, by the clocks of both
  Duration clock_doubt{0};  // how far any two clocks of processes may have been apart, at worst
  Histogram timer_lag;
  Histogram work_lag;
  Histogram handler_time;
  Histogram inbox_depth;
  std::vector<Stall> stalls;  // longer than the tolerance for lags, by peer and time, not touching

  // Adds the figures of other peers with the same clock. `clock_doubt` stays.
  void merge(const Fidelity& other);
  // Adds a stall; stalls come in the order of their ends, peer by peer.
  void stalled(const Stall& stall);
};

}  // namespace rhizome::core
