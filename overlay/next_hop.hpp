// The next hop of a message: one link of a view, drawn at random and weighted with its utility.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "core/peer/rng.hpp"
#include "overlay/descriptor.hpp"

namespace rhizome::overlay {

// Softmax: P(i) = exp(U_i / T) / sum exp(U_j / T). A high temperature is a random walk; 0 takes the
// best, ties by chance (Sparrow course report: 100 and 1). Nothing when every link is excluded.
template <class Excluded>
[[nodiscard]] const Descriptor* next_hop(std::span<const Descriptor> view, double temperature,
                                         core::Rng& rng, Excluded excluded) {
  std::vector<const Descriptor*> links;
  double best = -HUGE_VAL;
  for (const Descriptor& link : view)
    if (!excluded(link.peer)) {
      links.push_back(&link);
      best = std::max(best, link.advert.utility);
    }
  // Less the maximum, so that no exponential overflows; at least the best one weighs 1.
  const auto weight = [&](const Descriptor* link) {
    const double below = link->advert.utility - best;
    if (temperature <= 0) return below < 0 ? 0.0 : 1.0;
    return std::exp(below / temperature);
  };
  double sum = 0;
  for (const Descriptor* link : links) sum += weight(link);
  double drawn = rng.unit() * sum;
  for (const Descriptor* link : links)
    if ((drawn -= weight(link)) < 0) return link;
  return links.empty() ? nullptr : links.back();
}

}  // namespace rhizome::overlay
