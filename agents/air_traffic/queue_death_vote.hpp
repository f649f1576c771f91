// Whether the queue is dead. A peer that has not heard of it for long cannot tell its death from a
// cut of the network, but if all others doubt as well, nobody is on the queue's side of a cut.
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

  // The queue lived then, as this peer or whom it follows has heard.
  void alive(core::Time then) { alive_ = std::max(alive_, then); }
  void on(Env& env, PeerId from, const Doubt&) {
    if (from != queue_) doubters_[from] = env.now();
  }
  // Whatever comes from the queue says as much.
  void on(Env&, PeerId, const QueueAlive&) {}

  [[nodiscard]] core::Duration silence(core::Time now) const { return now - alive_; }
  // The queue has been silent for so long that this peer tells everybody.
  [[nodiscard]] bool doubts(core::Time now) const { return silence(now) > options_.patience(); }
  // All others doubt too; or those that cannot be heard have had time enough.
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
  std::map<PeerId, core::Time> doubters_;  // and when each last said so
};

}  // namespace rhizome::agents::traffic
