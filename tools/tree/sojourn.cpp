#include "tools/tree/measures.hpp"

#include <set>
#include <utility>

#include "scenarios/outcome/tree.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::tools {

namespace {

// Depths in a tree that changes by moves: a move takes one peer with its whole subtree.
class Depths {
 public:
  // `moves`: how many will come. A store of a stranger may move a large subtree each time, so the
  // peers that all of them take along are limited in proportion.
  Depths(std::size_t peers, std::size_t moves, core::PeerId root)
      : children_(peers), parent_(peers), depth_(peers), left_(1000 * (peers + moves)) {
    if (root != core::no_peer) depth_[root.value] = 0;
  }

  // Calls changed(peer, old depth) for each peer whose depth has changed.
  template <class Changed>
  void move(core::PeerId peer, core::PeerId to, Changed changed) {
    if (const auto old = parent_[peer.value]) children_[old->value].erase(peer);
    parent_[peer.value].reset();
    std::optional<std::uint32_t> depth;
    if (to != core::no_peer) {
      parent_[peer.value] = to;
      children_[to.value].insert(peer);
      if (depth_[to.value]) depth = *depth_[to.value] + 1;
    }
    sink(peer, depth, changed);
  }

  [[nodiscard]] std::optional<std::uint32_t> of(std::size_t peer) const { return depth_[peer]; }

 private:
  // Terminates even in a cycle: a depth larger than the number of peers is ignored.
  template <class Changed>
  void sink(core::PeerId top, std::optional<std::uint32_t> depth, Changed changed) {
    std::vector<std::pair<core::PeerId, std::optional<std::uint32_t>>> open{{top, depth}};
    while (!open.empty()) {
      const auto [peer, now] = open.back();
      open.pop_back();
      if (left_-- == 0)
        throw scenarios::UnreadableFile("its moves take more peers along than can be followed");
      const auto old = depth_[peer.value];
      if (old == now || (now && *now > depth_.size())) continue;
      depth_[peer.value] = now;
      changed(peer, old);
      for (const core::PeerId child : children_[peer.value])
        open.emplace_back(child, now ? std::optional(*now + 1) : std::nullopt);
    }
  }

  std::vector<std::set<core::PeerId>> children_;
  std::vector<std::optional<core::PeerId>> parent_;
  std::vector<std::optional<std::uint32_t>> depth_;
  std::size_t left_;
};

}  // namespace

std::vector<Sojourns> sojourns_of(const Outcome& outcome) {
  const std::size_t peers = outcome.peers.size();
  const double whole = core::seconds(outcome.ended - Time{});
  std::vector<Sojourns> shares(peers);
  std::vector<Time> since(peers);
  const std::vector<TreeMove> moves = moves_until(outcome, Time::max());
  Depths depths(peers, moves.size(), source_of(outcome));
  // Each takes memory; a store of a stranger may lead peers to very many depths.
  std::size_t room = 1'000'000 + 20 * (peers + moves.size());
  const auto close = [&](std::size_t peer, std::optional<std::uint32_t> depth, Time at) {
    const Duration stay = at - std::exchange(since[peer], at);
    if (whole <= 0) return;
    const auto [share, is_new] = shares[peer].try_emplace(depth);
    if (is_new && room-- == 0)
      throw scenarios::UnreadableFile("its peers stood at more depths than can be kept");
    share->second += core::seconds(stay) / whole;
  };
  for (const TreeMove& move : moves)
    depths.move(move.peer, move.to, [&](core::PeerId peer, std::optional<std::uint32_t> old) {
      close(peer.value, old, move.at);
    });
  for (std::size_t peer = 0; peer < peers; ++peer) close(peer, depths.of(peer), outcome.ended);
  return shares;
}

}  // namespace rhizome::tools
