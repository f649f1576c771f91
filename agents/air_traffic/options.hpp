// The options of Air Traffic Control, with their defaults and sources.
#pragma once

#include <cstdint>

#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"

namespace rhizome::agents::traffic {

struct Options {
  std::uint32_t leaders = 0;
  double leaders_per_hundred = 5;
  std::uint32_t window = 10;
  bool bundled = false;
  bool reorganise = true;
  Duration timeout = std::chrono::seconds(2);
  Duration merge_patience = std::chrono::milliseconds(500);
  Duration give_up{0};
  Duration longest_cut = std::chrono::seconds(60);
  std::uint32_t rest = 1;

  [[nodiscard]] Duration heartbeat() const { return timeout / 4; }
  // The heartbeat of a group that rests, and the silence after which it takes a peer for dead: as
  // many signs of life have been lost by then as in a time-out.
  [[nodiscard]] Duration slow_heartbeat() const { return rest * heartbeat(); }
  [[nodiscard]] Duration slow_timeout() const { return rest * timeout; }
  // No answer takes longer, because a time-out is at least four times the longest delay of the
  // network.
  [[nodiscard]] Duration round_trip() const { return timeout / 2; }
  // Silence of the queue after which a peer doubts that the queue lives.
  [[nodiscard]] Duration patience() const { return give_up.count() > 0 ? give_up : 5 * timeout; }
};

[[nodiscard]] core::Settings<Options> settings();

// A worker gives up a silent leader after two time-outs, which are long while it rests. It then
// asks the queue for a group for as long as leaders wait for the queue.
[[nodiscard]] inline Patience patience(const Options& options) {
  return {.notice = 2 * options.slow_timeout() + 2 * options.slow_heartbeat(),
          .mend = options.patience()};
}

}  // namespace rhizome::agents::traffic
