// What a leader's signs of life say, and when a group may rest: once nothing has happened in it for
// so long that what was lost of the last that did has been noticed and said again.
#pragma once

#include <optional>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"

namespace rhizome::agents::traffic {

using core::Time;

// Of one leader, which looks at every heartbeat.
class Calm {
 public:
  explicit Calm(const Options& options) : options_(options) {}

  // What its workers are to know now, and whether there is anything to watch besides.
  void look(Time now, const Roster& roster, bool watched) {
    const bool news = roster.epoch != known_.epoch || roster.members != known_.members ||
                      roster.edges != known_.edges;
    if (news) told_ = now;
    if (!news && !watched) return;
    stir(now);
    known_ = roster;
  }
  // Something happens that wakes workers, and may be over before the next look.
  void stir(Time now) {
    if (settled(now)) woken_ = now;
    stirred_ = now;
  }

  // They have been told all of it four times, and need not be told again.
  [[nodiscard]] bool told(Time now) const {
    return options_.rest > 1 && now - told_ > options_.timeout;
  }
  // The workers may rest, and are told so.
  [[nodiscard]] bool settled(Time now) const { return still_for(now, 2); }
  // Whether it is time for a sign of life. They have been told four times before there are fewer,
  // so that nobody who has missed it takes the leader for dead.
  [[nodiscard]] bool shows(Time now) {
    if (still_for(now, 3) && ++skipped_ < options_.rest) return false;
    skipped_ = 0;
    return true;
  }
  // Of one who was heard last at that time. Those who rested take a while to wake up.
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
  Time told_{};                // when there was news
  Time stirred_{};             // when something last happened
  std::optional<Time> woken_;  // when something happened after rest
  std::uint32_t skipped_ = 0;  // signs of life
};

}  // namespace rhizome::agents::traffic
