// The content of a leader's signs of life, and the rule by which its group may rest: once nothing
// has happened in the group for so long that a loss in the last change has been noticed and
// repaired by a repetition.
#pragma once

#include <optional>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"

namespace rhizome::agents::traffic {

using core::Time;

// The calm of one leader, which calls look() at every heartbeat.
class Calm {
 public:
  explicit Calm(const Options& options) : options_(options) {}

  // `roster`: what the workers have to know now; `watched`: whether there is anything else to
  // watch.
  void look(Time now, const Roster& roster, bool watched) {
    const bool news = roster.epoch != known_.epoch || roster.members != known_.members ||
                      roster.edges != known_.edges;
    if (news) told_ = now;
    if (!news && !watched) return;
    stir(now);
    known_ = roster;
  }
  // Something happens that wakes the workers, and may be over before the next look().
  void stir(Time now) {
    if (settled(now)) woken_ = now;
    stirred_ = now;
  }

  // The workers have been told the whole roster four times, and need not be told again.
  [[nodiscard]] bool told(Time now) const {
    return options_.rest > 1 && now - told_ > options_.timeout;
  }
  // The workers may rest, and are told so.
  [[nodiscard]] bool settled(Time now) const { return still_for(now, 2); }
  // Whether it is time for a sign of life. The workers are told four times that they may rest
  // before the signs become fewer, so that no worker that has missed one takes the leader for dead.
  [[nodiscard]] bool shows(Time now) {
    if (still_for(now, 3) && ++skipped_ < options_.rest) return false;
    skipped_ = 0;
    return true;
  }
  // Whether a worker that was last heard at `heard` is dead. Workers that rested take a while to
  // wake up.
  [[nodiscard]] bool dead(Time now, Time heard) const {
    if (settled(now)) return now - heard > options_.slow_timeout();
    const bool waking = woken_ && now - *woken_ <= 2 * options_.timeout;
    return !waking && now - heard > options_.timeout;
  }

 private:
  [[nodiscard]] bool still_for(Time now, int timeouts) const {
    return options_.rest > 1 && now - stirred_ > timeouts * options_.timeout;
  }

  const Options& options_;
  Roster known_{};
  Time told_{};                // when the roster last changed
  Time stirred_{};             // when something last happened
  std::optional<Time> woken_;  // when something happened after rest
  std::uint32_t skipped_ = 0;  // signs of life left out since the last one
};

}  // namespace rhizome::agents::traffic
