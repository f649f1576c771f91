#include "overlay/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace rhizome::overlay {

std::uint32_t Ranking::distance(PeerId a, PeerId b) const {
  const std::uint32_t clockwise = (b.value + addresses_ - a.value) % addresses_;
  return std::min(clockwise, addresses_ - clockwise);
}

// Keys that sort: uphill of the base or not, how far; then the newest; then the next address, which
// is another for every base, so that equal peers do not all prefer the same one.
bool Ranking::prefers(const Descriptor& base, const Descriptor& a, const Descriptor& b) const {
  if (kind_ == RankingKind::ring)
    return std::tuple(distance(base.peer, a.peer), a.peer) <
           std::tuple(distance(base.peer, b.peer), b.peer);
  const double u = base.advert.utility;
  const auto key = [this, &base, u](const Descriptor& d) {
    return std::tuple(!is_uphill(d.advert.utility, u), std::abs(d.advert.utility - u),
                      -d.taken.time_since_epoch(), d.peer.value - base.peer.value);
  };
  return key(a) < key(b);
}

}  // namespace rhizome::overlay
