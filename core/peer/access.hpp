// The access line of a peer: an uplink and a downlink, each with a rate and a queue of its own.
// Store and forward: a packet sets out once its last bit has passed its sender's uplink, and is
// there once its last bit has passed its receiver's downlink; the latency of links lies between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/peer/ids.hpp"
#include "core/peer/rate.hpp"
#include "core/peer/recorder.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// What has passed one direction of a line. A packet waits for those before it.
struct ChannelUsage {
  std::uint64_t packets = 0;
  Duration busy{0};
  Duration waited{0};   // by all packets together
  Duration longest{0};  // wait of a single one
};

// One direction of a line: first come, first served, and nothing is ever turned away.
class Channel {
 public:
  explicit Channel(Rate rate) : rate_(rate) {}  // 0: as fast as you like

  // When the last bit of a packet that comes at `arrival` has passed. Call in the order of arrival.
  [[nodiscard]] Time pass(Time arrival, std::size_t bytes);
  // Forgets what has not passed by now.
  void cut(Time now);
  // Until then: of what is passing, only the part that has passed counts as busy.
  [[nodiscard]] ChannelUsage usage(Time until) const;

 private:
  Rate rate_;
  Time free_{};  // when all that came before has passed
  ChannelUsage usage_;
};

struct AccessRates {
  Rate up{};
  Rate down{};
};

// Outlives the lives of its peer. Packets of a peer to itself do not use it.
class AccessLine {
 public:
  explicit AccessLine(AccessRates rates) : up_(rates.up), down_(rates.down) {}

  [[nodiscard]] Time send(Time now, std::size_t bytes) { return up_.pass(now, bytes); }
  [[nodiscard]] Time receive(Time arrival, std::size_t bytes) { return down_.pass(arrival, bytes); }

  // What is queued is gone, in both directions.
  void crash(Time now, Incarnation life);
  // Nobody waits for what is coming down any more; what was sent before, goodbyes above all, still
  // leaves, and the next life queues behind it.
  void leave(Time now) { down_.cut(now); }
  // Whether what a life has queued and not sent went with its crash.
  [[nodiscard]] bool lost(Incarnation life) const { return life.value < first_unharmed_; }

  // Notes the facts below, as of the end of a run.
  void note_usage(Recorder& recorder, Time ended) const;

 private:
  Channel up_;
  Channel down_;
  std::uint32_t first_unharmed_ = 0;  // all lives before it have crashed or left
};

// What a direction carried in the whole run. subject: packets; value: seconds busy.
inline constexpr std::string_view uplink_used = "uplink-used";
inline constexpr std::string_view downlink_used = "downlink-used";
// How long packets waited in its queue. subject: the longest wait in nanoseconds; value: seconds,
// all packets together.
inline constexpr std::string_view uplink_waited = "uplink-waited";
inline constexpr std::string_view downlink_waited = "downlink-waited";

}  // namespace rhizome::core
