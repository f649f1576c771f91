#include "overlay/graph.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace rhizome::overlay {

using core::PeerId;

std::vector<std::uint32_t> components(const Graph& graph) {
  constexpr std::uint32_t unseen = ~std::uint32_t{0};
  std::vector<std::uint32_t> part(graph.peers(), unseen);
  std::vector<PeerId> open;
  std::uint32_t parts = 0;
  for (std::uint32_t start = 0; start < graph.peers(); ++start) {
    if (part[start] != unseen) continue;
    part[start] = parts;
    open.push_back(PeerId{start});
    while (!open.empty()) {
      const PeerId at = open.back();
      open.pop_back();
      for (const PeerId next : graph.of(at)) {
        if (part[next.value] != unseen) continue;
        part[next.value] = parts;
        open.push_back(next);
      }
    }
    ++parts;
  }
  return part;
}

bool is_connected(const Graph& graph) {
  const auto part = components(graph);
  return std::all_of(part.begin(), part.end(), [](std::uint32_t p) { return p == 0; });
}

std::size_t edges(const Graph& graph) {
  std::size_t ends = 0;
  for (std::uint32_t i = 0; i < graph.peers(); ++i) ends += graph.of(PeerId{i}).size();
  return ends / 2;
}

Graph graph_of(std::uint32_t peers, std::span<const Edge> edge_list) {
  Graph graph;
  graph.neighbours.resize(peers);
  for (const auto& [a, b] : edge_list) {
    if (a == b) continue;
    graph.neighbours[a].push_back(PeerId{b});
    graph.neighbours[b].push_back(PeerId{a});
  }
  for (auto& list : graph.neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return graph;
}

namespace {

void add_edge(Graph& graph, std::uint32_t a, std::uint32_t b) {
  for (const auto& [from, to] : {Edge{a, b}, Edge{b, a}}) {
    auto& list = graph.neighbours[from];
    list.insert(std::upper_bound(list.begin(), list.end(), PeerId{to}), PeerId{to});
  }
}

}  // namespace

// A chain from part to part would hang a long tail of lone peers on a sparse graph. So all parts
// join the largest one, at its peer of the least degree by then and, of equal ones, the peer that
// has waited longest. A peer that has joined counts as of degree 2 at least: preferring the ends of
// a part that was just added would grow the tail all the same.
void connect(Graph& graph) {
  const auto part = components(graph);
  const std::uint32_t parts = part.empty() ? 0 : *std::max_element(part.begin(), part.end()) + 1;
  if (parts < 2) return;
  std::vector<std::vector<std::uint32_t>> members(parts);
  for (std::uint32_t i = 0; i < graph.peers(); ++i) members[part[i]].push_back(i);
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });

  using Candidate = std::tuple<std::size_t, std::size_t, std::uint32_t>;  // rank, turn, peer
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> hosts;
  std::size_t turns = 0;
  const auto degree = [&graph](std::uint32_t peer) { return graph.neighbours[peer].size(); };
  const auto admit = [&](std::uint32_t peer, std::size_t least_rank) {
    hosts.emplace(std::max(degree(peer), least_rank), turns++, peer);
  };
  for (const std::uint32_t peer : members.front()) admit(peer, 0);
  for (std::size_t guests = 1; guests < members.size(); ++guests) {
    const auto& list = members[guests];
    const std::uint32_t host = std::get<2>(hosts.top());
    hosts.pop();
    add_edge(graph, host,
             *std::min_element(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
               return degree(a) < degree(b);
             }));
    admit(host, 2);
    for (const std::uint32_t peer : list) admit(peer, 2);
  }
}

std::vector<std::uint32_t> hops(const Graph& graph, PeerId from) {
  std::vector<std::uint32_t> distance(graph.peers(), unreachable);
  std::vector<PeerId> wave{from};
  distance[from.value] = 0;
  for (std::size_t at = 0; at < wave.size(); ++at) {
    for (const PeerId next : graph.of(wave[at])) {
      if (distance[next.value] != unreachable) continue;
      distance[next.value] = distance[wave[at].value] + 1;
      wave.push_back(next);
    }
  }
  return distance;
}

}  // namespace rhizome::overlay
