// What the peers of the Sparrow family note besides what all schedulers do.
#pragma once

#include <cstdint>

#include "agents/task.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::sparrow {

using core::operator==;

struct ProbeSettled {
  static constexpr core::FactInfo info{
      "probe-settled", "A probe of a master that was passed on so often was deposited here.",
      "job | portion | master: the peer whose probe it is | hops: how often it was passed on"};
  TaskId task;
  core::PeerId master;
  std::uint64_t hops = 0;
};
struct AdvertUsed {
  static constexpr core::FactInfo info{
      "advert-used", "A peer was chosen as the next hop by knowledge of it that was so old.",
      "next: the peer that was chosen | age: how old the knowledge was"};
  core::PeerId next;
  core::Duration age{0};
};

using OwnFacts = core::OneOf<ProbeSettled, AdvertUsed>;

}  // namespace rhizome::agents::sparrow
