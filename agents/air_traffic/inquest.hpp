// Whether the queue is dead. A peer that has not heard of it for long cannot tell its death from a
// cut of the network, but if all others doubt as well, nobody is on the queue's side of a cut.
#pragma once

#include <map>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"

namespace rhizome::agents::traffic {

class Inquest {
 public:
  // `others`: how many peers there are besides the queue and this one.
  Inquest(const Options& options, std::size_t others) : options_(options), others_(others) {}

  void heard(core::PeerId doubter, core::Time now) { doubters_[doubter] = now; }
  // The queue has been silent for so long that this peer tells everybody.
  [[nodiscard]] bool doubts(core::Duration silence) const { return silence > options_.patience(); }
  // All others doubt too; or those that cannot be heard have had time enough.
  [[nodiscard]] bool over(core::Time now, core::Duration silence) const {
    if (!doubts(silence)) return false;
    std::size_t doubters = 0;
    for (const auto& [peer, at] : doubters_) doubters += now - at <= options_.timeout ? 1 : 0;
    return doubters == others_ || silence > options_.patience() + options_.longest_cut;
  }

 private:
  const Options& options_;
  std::size_t others_;
  std::map<core::PeerId, core::Time> doubters_;  // and when each last said so
};

}  // namespace rhizome::agents::traffic
