// The pace of a world. Times that a scenario leaves out suit tasks of seconds and packets without
// delay. Where tasks take longer, a peer need not hear of a death or of a lost message sooner than
// a quarter of a task later, and a run of months need not be full of signs of life. Where packets
// take longer, a peer must not be taken for dead because its answer is still on its way.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/peer/time.hpp"

namespace rhizome::agents {

// For how long a scheduler lets the structure of its peers, a tree or groups, be wrong after a
// fault. The default is that of the slowest sensible failure detector.
struct Patience {
  // Time until no peer follows a dead peer or a former leader.
  core::Duration notice = std::chrono::seconds(30);
  // Time after that until each peer that lost its place has another or gives up.
  core::Duration mend = std::chrono::seconds(30);
  friend bool operator==(const Patience&, const Patience&) = default;
};

struct World;

// What a time that the scenario leaves out is for.
enum class TimeoutPurpose : std::uint8_t {
  recovery,   // from rare events: a time-out, or signs of life
  freshness,  // of links: a peer lives for long, and is chosen by a link no more often than tasks
              // end
  work,       // work waits for it: a hundredth of a task does not matter
  rest,       // no time, but how many signs of life become one while there is nothing to watch
};

// The factor for a time that the scenario leaves out; at least 1. Time-outs are unchanged up to a
// mean task of 20 s, and proportional to it from 50 s on, so that 2 s become a quarter of a task.
// Between the two the factor grows with the square, so that chance in the durations of tasks
// changes little. Where a packet may take more than half a second, 2 s become at least five times
// the delay of a packet.
[[nodiscard]] double pace_of(const World& world, TimeoutPurpose use = TimeoutPurpose::recovery);

// The scaled time in whole milliseconds, from ten seconds on in whole seconds, as a scenario would
// state it.
[[nodiscard]] core::Duration in_pace(core::Duration unsaid, const World& world,
                                     TimeoutPurpose use = TimeoutPurpose::recovery);

// The same for a number instead of a time, rounded to a whole number.
[[nodiscard]] std::int64_t in_pace(std::int64_t unsaid, const World& world, TimeoutPurpose use);

// Whether the factor follows from the delays of the network, and not from the durations of tasks.
[[nodiscard]] bool waits_for_packets(const World& world);

// The rule in whole sentences, for the documentation of such a time.
[[nodiscard]] std::string_view rule_of(TimeoutPurpose use);

}  // namespace rhizome::agents
