#include "core/peer/link.hpp"

namespace rhizome::core {

// The first verdict at or behind `from` that is not a pass; `from` ends behind it.
LinkVerdict LinkChain::decide(std::size_t& from, Time now, const PacketHeader& header,
                              Rng& rng) const {
  while (from < links_.size()) {
    const LinkVerdict verdict = links_[from++]->judge(now, header, rng);
    if (verdict.kind != LinkVerdict::Kind::pass) return verdict;
  }
  return LinkVerdict::pass();
}

Transmission LinkChain::judge(Time now, const PacketHeader& header, Rng& rng) const {
  if (header.from == header.to) return {};
  std::size_t from = 0;
  LinkVerdict verdict = decide(from, now, header, rng);
  const bool twice = verdict.kind == LinkVerdict::Kind::duplicate;
  const std::size_t behind = from;
  Transmission result;
  result.copies = twice ? 2 : 1;
  result.arriving = 0;
  for (std::uint8_t copy = 0; copy < result.copies; ++copy) {
    if (twice) {
      from = behind;
      do {  // two copies are enough: a second duplication counts as a pass
        verdict = decide(from, now, header, rng);
      } while (verdict.kind == LinkVerdict::Kind::duplicate);
    }
    if (verdict.kind == LinkVerdict::Kind::drop) {
      result.why = verdict.why;
    } else {
      result.after[result.arriving++] = verdict.after;
    }
  }
  return result;
}

}  // namespace rhizome::core
