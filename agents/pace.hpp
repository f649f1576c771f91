// The pace of a world. Times that a scenario leaves unsaid suit tasks of seconds and packets that
// are there at once. Where tasks take longer, nobody has to hear of a death or of a lost message
// sooner than a quarter of a task later, and a run of months need not be full of signs of life;
// where packets take longer, nobody is to be held for dead because his answer is still on its way.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/peer/time.hpp"

namespace rhizome::agents {

struct World;

// What an unsaid time is for.
enum class TimeoutPurpose : std::uint8_t {
  recovery,   // from what seldom happens: a time-out, or signs of life
  freshness,  // of links: a peer lives for long, and is not chosen by them more often than tasks
              // end
  work,       // which waits for it: a hundredth of a task is no matter
  rest,       // no time, but how many signs of life become one while there is nothing to watch
};

// How many times as long such a time is, left unsaid; at least 1. Time-outs stand as they are up
// to a mean task of 20 s, and from 50 s on they are proportional to it, so that 2 s become a
// quarter of a task. Between them the square leads from one to the other, so that chance in the
// durations of tasks changes little. Where a packet may take more than half a second, 2 s become at
// least five times that.
[[nodiscard]] double pace_of(const World& world, TimeoutPurpose use = TimeoutPurpose::recovery);

// In whole milliseconds, from ten seconds on in whole seconds, as a scenario would say it.
[[nodiscard]] core::Duration in_pace(core::Duration unsaid, const World& world,
                                     TimeoutPurpose use = TimeoutPurpose::recovery);

// A number instead of a time, in whole ones.
[[nodiscard]] std::int64_t in_pace(std::int64_t unsaid, const World& world, TimeoutPurpose use);

// Whether that is for the delays of the network, and not for the durations of tasks.
[[nodiscard]] bool waits_for_packets(const World& world);

// The rule in whole sentences, for whoever reads of such a time.
[[nodiscard]] std::string_view rule_of(TimeoutPurpose use);

}  // namespace rhizome::agents
