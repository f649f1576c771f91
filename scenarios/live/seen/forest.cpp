#include "scenarios/live/seen/forest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rhizome::scenarios::live {

namespace {

// Parents before their children, from all roots.
std::vector<core::PeerId> descend(Forest& forest) {
  std::vector<core::PeerId> order = forest.roots;
  for (const core::PeerId root : order) forest.depth[root.value] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const core::PeerId peer = order[i];
    const std::uint32_t depth = forest.depth[peer.value];
    if (forest.levels.size() == depth) forest.levels.push_back(0);
    ++forest.levels[depth];
    for (const core::PeerId child : forest.children[peer.value]) {
      forest.depth[child.value] = depth + 1;
      order.push_back(child);
    }
  }
  return order;
}

}  // namespace

std::uint32_t Forest::members() const {
  return std::accumulate(levels.begin(), levels.end(), std::uint32_t{0});
}

Forest forest_of(const std::vector<Row>& rows) {
  const std::size_t peers = rows.size();
  Forest forest{.children = std::vector<std::vector<core::PeerId>>(peers),
                .depth = std::vector<std::uint32_t>(peers, Forest::outside),
                .below = std::vector<std::uint32_t>(peers, 0)};
  for (std::uint32_t i = 0; i < peers; ++i) {
    const core::PeerId above = above_of(rows[i]);
    if (above.value < peers && above.value != i) forest.children[above.value].push_back({i});
  }
  for (std::uint32_t i = 0; i < peers; ++i)
    if (above_of(rows[i]).value >= peers && !forest.children[i].empty())
      forest.roots.push_back({i});
  const std::vector<core::PeerId> order = descend(forest);
  for (auto peer = order.rbegin(); peer != order.rend(); ++peer)
    for (const core::PeerId child : forest.children[peer->value])
      forest.below[peer->value] += forest.below[child.value] + 1;
  std::ranges::stable_sort(forest.roots, [&forest](core::PeerId a, core::PeerId b) {
    return forest.below[a.value] > forest.below[b.value];
  });
  return forest;
}

}  // namespace rhizome::scenarios::live
