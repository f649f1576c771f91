// The access line of a peer: an uplink and a downlink, each with a rate and a queue of its own.
// Store and forward: a packet sets out once its last bit has passed its sender's uplink, and
// arrives once its last bit has passed its receiver's downlink; the latency of links lies between.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/peer/ids.hpp"
#include "core/peer/line_usage.hpp"
#include "core/peer/rate.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// One direction of a line: first come, first served, and no packet is ever turned away.
class Channel {
 public:
  explicit Channel(Rate rate) : rate_(rate) {}  // 0: without limit

  // When the last bit of a packet that comes at `arrival` has passed. Call in the order of arrival.
  [[nodiscard]] Time pass(Time arrival, std::size_t bytes);
  // Forgets packets that have not passed by now.
  void cut(Time now);
  // The usage until then. If a packet is passing, only the part of it that has passed counts as
  // busy.
  [[nodiscard]] ChannelUsage usage(Time until) const;

 private:
  Rate rate_;
  Time free_{};  // when all earlier packets have passed
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

  // Queued packets are gone, in both directions.
  void crash(Time now, Incarnation life);
  // The peer no longer waits for packets that are coming down. Packets that it sent before,
  // goodbyes above all, still leave, and its next life queues behind them.
  void leave(Time now) { down_.cut(now); }
  // Whether packets that a life had queued and not sent were lost with its crash.
  [[nodiscard]] bool lost(Incarnation life) const { return life.value < first_unharmed_; }

  // The usage at the end of a run.
  [[nodiscard]] LineUsage usage(Time ended) const { return {up_.usage(ended), down_.usage(ended)}; }

 private:
  Channel up_;
  Channel down_;
  std::uint32_t first_unharmed_ = 0;  // all lives before it have crashed or left
};

}  // namespace rhizome::core
