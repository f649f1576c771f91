#include "overlay/descriptor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rhizome::overlay {

bool is_credible(const Descriptor& descriptor, const Credence& credence) {
  const Advert& advert = descriptor.advert;
  return descriptor.peer != credence.self && descriptor.peer.value < credence.peers &&
         std::isfinite(advert.utility) && std::isfinite(advert.free_cpus) &&
         std::isfinite(advert.free_memory);
}

std::vector<Descriptor> credible(std::vector<Descriptor> told, const Credence& credence) {
  if (told.size() > credence.most) told.resize(credence.most);
  std::erase_if(told, [&](const Descriptor& d) { return !is_credible(d, credence); });
  for (Descriptor& descriptor : told)
    descriptor.taken = std::clamp(descriptor.taken, core::Time{}, credence.now);
  return told;
}

std::vector<Descriptor> newest(std::vector<Descriptor> all) {
  std::sort(all.begin(), all.end(), [](const Descriptor& a, const Descriptor& b) {
    return std::pair(a.peer, b.taken) < std::pair(b.peer, a.taken);
  });
  const auto same = [](const Descriptor& a, const Descriptor& b) { return a.peer == b.peer; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace rhizome::overlay
