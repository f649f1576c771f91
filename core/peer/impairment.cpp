#include "core/peer/impairment.hpp"

namespace rhizome::core {

namespace {

bool on_side(const Partition::Cut& cut, PeerId peer) {
  return peer.value < cut.side.size() && cut.side[peer.value];
}

}  // namespace

Verdict Loss::judge(Time, const PacketHeader&, Rng& rng) const {
  return rng.chance(probability_) ? Verdict::drop(Drop::lost) : Verdict::pass();
}

Verdict Duplication::judge(Time, const PacketHeader&, Rng& rng) const {
  return rng.chance(probability_) ? Verdict::duplicate() : Verdict::pass();
}

Verdict Partition::judge(Time now, const PacketHeader& header, Rng&) const {
  for (const Cut& cut : cuts_)
    if (now >= cut.from && now < cut.until && on_side(cut, header.from) != on_side(cut, header.to))
      return Verdict::drop(Drop::partitioned);
  return Verdict::pass();
}

}  // namespace rhizome::core
