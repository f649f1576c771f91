#include "agents/organic_grid/tree/lineage.hpp"

#include <algorithm>

namespace rhizome::agents::grid {

Duration Lineage::age(Time now) const {
  if (is_root_) return Duration::zero();
  return home_.sightings.age(root_, now).value_or(now.time_since_epoch());
}

bool Lineage::hopeless(Time now) const {
  const auto steps = static_cast<std::int64_t>(std::min<std::size_t>(ancestors_.size(), 1000));
  return age(now) > home_.options.hope() + 2 * home_.options.heartbeat() * steps;
}

bool Lineage::descend(const std::vector<PeerId>& ancestors) {
  const bool news =
      std::any_of(ancestors.begin(), ancestors.end(), [this](PeerId peer) { return !has(peer); });
  ancestors_ = ancestors;
  return news;
}

bool Lineage::has(PeerId ancestor) const {
  return std::find(ancestors_.begin(), ancestors_.end(), ancestor) != ancestors_.end();
}

std::vector<PeerId> Lineage::for_child(PeerId self) const {
  std::vector<PeerId> chain{self};
  chain.insert(chain.end(), ancestors_.begin(), ancestors_.end());
  return chain;
}

}  // namespace rhizome::agents::grid
