// Whether the queue is dead. A peer that has not heard the queue for long cannot tell its death
// from a cut of the network. If all other peers doubt too, no peer is on the queue's side of a cut.
#pragma once

#include <algorithm>
#include <map>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"

namespace rhizome::agents::traffic {

class QueueDeathVote {
 public:
  using Messages = core::OneOf<Doubt, QueueAlive>;

  // `others`: how many peers there are besides the queue and this one.
  QueueDeathVote(const Options& options, PeerId queue, std::size_t others)
      : options_(options), queue_(queue), others_(others) {}

  // The queue lived at that time, as this peer or its leader has heard.
  void alive(core::Time then) { alive_ = std::max(alive_, then); }
  void on(Env& env, PeerId from, const Doubt&) {
    if (from != queue_) doubters_[from] = env.now();
  }
  // Every message from the queue shows that it lives, so this one needs no handling of its own.
  void on(Env&, PeerId, const QueueAlive&) {}

  [[nodiscard]] core::Duration silence(core::Time now) const { return now - alive_; }
  // The queue has been silent for so long that this peer tells all others of its doubt.
  [[nodiscard]] bool doubts(core::Time now) const { return silence(now) > options_.patience(); }
  // All other peers doubt too; or the peers that cannot be heard have had enough time.
  [[nodiscard]] bool over(core::Time now) const {
    if (!doubts(now)) return false;
    std::size_t doubters = 0;
    for (const auto& [peer, at] : doubters_) doubters += now - at <= options_.timeout ? 1 : 0;
    return doubters == others_ || silence(now) > options_.patience() + options_.longest_cut;
  }

 private:
  const Options& options_;
  PeerId queue_;
  std::size_t others_;
  core::Time alive_{};
  std::map<PeerId, core::Time> doubters_;  // when each last said that it doubts
};

}  // namespace rhizome::agents::traffic
