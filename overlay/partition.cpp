#include "overlay/partition.hpp"

#include <algorithm>
#include <numeric>

namespace rhizome::overlay {

namespace {

std::vector<std::uint32_t> by_address(std::span<const std::uint32_t> sizes) {
  std::vector<std::uint32_t> parts;
  for (std::uint32_t part = 0; part < sizes.size(); ++part)
    parts.insert(parts.end(), sizes[part], part);
  return parts;
}

// How many more neighbours a peer has in its part than in another.
std::int64_t attachment(const Graph& graph, std::span<const std::uint32_t> parts, core::PeerId peer,
                        std::uint32_t other) {
  std::int64_t more = 0;
  for (const core::PeerId neighbour : graph.of(peer)) {
    more += parts[neighbour.value] == parts[peer.value] ? 1 : 0;
    more -= parts[neighbour.value] == other ? 1 : 0;
  }
  return more;
}

void move(const Graph& graph, std::uint32_t from, std::uint32_t to, std::size_t count,
          std::vector<std::uint32_t>& parts) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> movable;
  for (std::uint32_t i = 0; i < parts.size(); ++i)
    if (parts[i] == from) movable.emplace_back(attachment(graph, parts, {i}, to), i);
  std::sort(movable.begin(), movable.end());
  for (std::size_t i = 0; i < count; ++i) parts[movable[i].second] = to;
}

}  // namespace

std::vector<std::uint32_t> sizes_of_parts(std::uint32_t peers,
                                          std::span<const std::uint32_t> weights) {
  const auto whole = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint32_t> sizes;
  std::uint64_t sum = 0;
  std::uint64_t dealt = 0;
  for (const std::uint32_t weight : weights) {
    sum += weight;
    const std::uint64_t until = peers * sum / whole;
    sizes.push_back(static_cast<std::uint32_t>(until - dealt));
    dealt = until;
  }
  return sizes;
}

void balance(const Graph& graph, std::span<const std::uint32_t> sizes,
             std::vector<std::uint32_t>& parts) {
  std::vector<std::int64_t> excess(sizes.size());
  for (std::size_t part = 0; part < sizes.size(); ++part) excess[part] = -std::int64_t{sizes[part]};
  for (const std::uint32_t part : parts) ++excess[part];
  for (;;) {
    const auto most = std::max_element(excess.begin(), excess.end());
    const auto least = std::min_element(excess.begin(), excess.end());
    if (*most <= 0) return;
    const std::int64_t count = std::min(*most, -*least);
    move(graph, static_cast<std::uint32_t>(most - excess.begin()),
         static_cast<std::uint32_t>(least - excess.begin()), static_cast<std::size_t>(count),
         parts);
    *most -= count;
    *least += count;
  }
}

std::size_t cut_edges(const Graph& graph, std::span<const std::uint32_t> parts) {
  std::size_t cut = 0;
  for (std::uint32_t i = 0; i < graph.peers(); ++i)
    for (const core::PeerId neighbour : graph.of({i}))
      cut += neighbour.value > i && parts[neighbour.value] != parts[i] ? 1 : 0;
  return cut;
}

// In a complete graph all divisions cut the same number of edges. METIS takes no parts without
// peers.
std::vector<std::uint32_t> partition(const Graph& graph, std::span<const std::uint32_t> weights) {
  const std::vector<std::uint32_t> sizes = sizes_of_parts(graph.peers(), weights);
  std::vector<std::uint32_t> dealt = by_address(sizes);
  std::vector<std::uint32_t> peopled;
  std::vector<std::uint32_t> shares;
  for (std::uint32_t part = 0; part < sizes.size(); ++part) {
    if (sizes[part] == 0) continue;
    peopled.push_back(part);
    shares.push_back(sizes[part]);
  }
  if (graph.complete > 0 || peopled.size() < 2 || !has_partitioner()) return dealt;
  std::vector<std::uint32_t> parts = detail::divide(graph, shares);
  for (std::uint32_t& part : parts) part = peopled[part];
  balance(graph, sizes, parts);
  return cut_edges(graph, parts) < cut_edges(graph, dealt) ? parts : dealt;
}

}  // namespace rhizome::overlay
