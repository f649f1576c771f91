#include "core/engine/share.hpp"

#include <numeric>

namespace rhizome::core {

// Bounds are rounded from the sums of the weights, so that no mistake adds up.
Placement Placement::blocks(std::uint32_t peers, std::span<const std::uint32_t> weights) {
  const auto whole = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint32_t> shares_of;
  shares_of.reserve(peers);
  std::uint64_t sum = 0;
  for (std::uint32_t share = 0; share < weights.size(); ++share) {
    sum += weights[share];
    shares_of.resize(peers * sum / whole, share);
  }
  return {static_cast<std::uint32_t>(weights.size()), std::move(shares_of)};
}

Placement Placement::round_robin(std::uint32_t peers, std::uint32_t shares) {
  std::vector<std::uint32_t> shares_of(peers);
  for (std::uint32_t i = 0; i < peers; ++i) shares_of[i] = i % shares;
  return {shares, std::move(shares_of)};
}

std::vector<PeerId> Share::peers_of(std::uint32_t peers) const {
  std::vector<PeerId> mine;
  for (std::uint32_t i = 0; i < peers; ++i)
    if (runs(PeerId{i})) mine.push_back(PeerId{i});
  return mine;
}

}  // namespace rhizome::core
