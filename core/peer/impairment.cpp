#include "core/peer/impairment.hpp"

namespace rhizome::core {

namespace {

bool on_side(const Partition::Cut& cut, PeerId peer) {
  return peer.value < cut.side.size() && cut.side[peer.value];
}

}  // namespace

LinkVerdict Loss::judge(Time, const PacketHeader&, Rng& rng) const {
  return rng.chance(probability_) ? LinkVerdict::drop(Drop::lost) : LinkVerdict::pass();
}

LinkVerdict Duplication::judge(Time, const PacketHeader&, Rng& rng) const {
  return rng.chance(probability_) ? LinkVerdict::duplicate() : LinkVerdict::pass();
}

LinkVerdict Partition::judge(Time now, const PacketHeader& header, Rng&) const {
  for (const Cut& cut : cuts_)
    if (now >= cut.from && now < cut.until && on_side(cut, header.from) != on_side(cut, header.to))
      return LinkVerdict::drop(Drop::partitioned);
  return LinkVerdict::pass();
}

}  // namespace rhizome::core
