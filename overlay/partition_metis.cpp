// The one door to METIS.
#include <metis.h>

#include <numeric>

#include "overlay/partition.hpp"

namespace rhizome::overlay {

bool has_partitioner() { return true; }

namespace detail {

namespace {

constexpr std::size_t few_parts = 8;  // for which its manual advises bisection
constexpr idx_t tries = 4;            // of which the best is taken

std::vector<real_t> shares_of(std::span<const std::uint32_t> weights) {
  const auto whole = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<real_t> shares;
  for (const std::uint32_t weight : weights)
    shares.push_back(static_cast<real_t>(weight) / static_cast<real_t>(whole));
  return shares;
}

// Where it fails, as for want of memory, all are in the first part.
std::vector<std::uint32_t> result(int status, const std::vector<idx_t>& parts) {
  std::vector<std::uint32_t> found(parts.size());
  if (status == METIS_OK) found.assign(parts.begin(), parts.end());
  return found;
}

}  // namespace

std::vector<std::uint32_t> divide(const Graph& graph, std::span<const std::uint32_t> weights) {
  std::vector<idx_t> first{0};
  std::vector<idx_t> neighbours;
  for (std::uint32_t i = 0; i < graph.peers(); ++i) {
    for (const core::PeerId each : graph.of({i}))
      neighbours.push_back(static_cast<idx_t>(each.value));
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  std::vector<idx_t> options(METIS_NOPTIONS);
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NCUTS] = tries;
  auto peers = static_cast<idx_t>(graph.peers());
  auto count = static_cast<idx_t>(weights.size());
  idx_t constraints = 1;
  idx_t cut = 0;
  std::vector<real_t> shares = shares_of(weights);
  std::vector<idx_t> parts(graph.peers());
  const auto method = weights.size() <= few_parts ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  return result(method(&peers, &constraints, first.data(), neighbours.data(), nullptr, nullptr,
                       nullptr, &count, shares.data(), nullptr, options.data(), &cut, parts.data()),
                parts);
}

}  // namespace detail

}  // namespace rhizome::overlay
