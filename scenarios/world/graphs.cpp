#include "scenarios/world/graphs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "overlay/graph_generators.hpp"
#include "overlay/graphml.hpp"
#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

namespace {

using core::Rng;
using overlay::BarabasiAlbert, overlay::Graph, overlay::KOut, overlay::WattsStrogatz;
using S = GraphSection;

constexpr double most_peers = 1'000'000;

// A peer cannot know more peers than there are others.
std::optional<Complaint> check_degree(const std::string& key, double degree, std::uint32_t peers) {
  if (degree <= peers - 1) return {};
  return Complaint{
      {key},
      fmt::format("\"{}\" is {:.10g}, but among {} peers no peer can know more than {} "
                  "others: lower it, or raise peers.count",
                  key, degree, peers, peers - 1)};
}

template <class O, class N>
auto check_degree(const std::string& key, N O::*degree) {
  return [key, degree](const S& s, std::uint32_t peers) {
    return check_degree(key, s.own.of<O>().*degree, peers);
  };
}

// For graphs whose generator has options.
template <class G>
Graph drawn(const S& s, std::uint32_t peers, Rng& rng) {
  G graph = s.own.of<G>();
  graph.peers = peers;
  return overlay::generate(graph, rng);
}

struct ErdosRenyi {
  double mean_degree = 6;
};
std::vector<core::Setting> erdos_renyi_settings() {
  return own_settings<S>(core::Settings<ErdosRenyi>{}.add(
      "mean_degree", &ErdosRenyi::mean_degree,
      {"Expected neighbours of a peer. More finds work sooner and asks more peers.", "our choice",
       0, most_peers}));
}
Graph erdos_renyi(const S& s, std::uint32_t peers, Rng& rng) {
  const double degree = s.own.of<ErdosRenyi>().mean_degree;
  return overlay::generate(overlay::ErdosRenyi{peers, std::min(1.0, degree / (peers - 1))}, rng);
}

double erdos_renyi_edges(const S& s, double peers) {
  return peers * std::min(s.own.of<ErdosRenyi>().mean_degree, peers - 1) / 2;
}

std::vector<core::Setting> k_out_settings() {
  return own_settings<S>(
      core::Settings<KOut>{}.add("out_degree", &KOut::out_degree,
                                 {"Neighbours that each peer chooses; others may choose it too.",
                                  "our choice", 1, most_peers}));
}

// Each choice makes an edge, except that two peers that choose each other share one.
double k_out_edges(const S& s, double peers) {
  const double out = std::min<double>(s.own.of<KOut>().out_degree, peers - 1);
  return peers * out * (1 - out / (2 * (peers - 1)));
}

std::vector<core::Setting> watts_strogatz_settings() {
  return own_settings<S>(core::Settings<WattsStrogatz>{}
                             .add("nearest", &WattsStrogatz::nearest,
                                  {"Neighbours on the ring before rewiring; even.",
                                   "Watts and Strogatz 1998", 2, most_peers})
                             .add("rewiring", &WattsStrogatz::rewiring,
                                  {"Share of edges moved to a random peer. More shortens paths.",
                                   "Watts and Strogatz 1998", 0, 1}));
}

double watts_strogatz_edges(const S& s, double peers) {
  return peers * std::floor(std::min<double>(s.own.of<WattsStrogatz>().nearest, peers - 1) / 2);
}

std::optional<Complaint> check_watts_strogatz(const S& s, std::uint32_t peers) {
  const std::uint32_t nearest = s.own.of<WattsStrogatz>().nearest;
  if (nearest % 2 == 1)
    return Complaint{{"nearest"},
                     fmt::format("\"nearest\" must be even, half of them on either side: {} or {}",
                                 nearest - 1, nearest + 1)};
  return check_degree("nearest", nearest, peers);
}

std::vector<core::Setting> barabasi_albert_settings() {
  return own_settings<S>(
      core::Settings<BarabasiAlbert>{}.add("attachments", &BarabasiAlbert::attachments,
                                           {"Edges of each new peer. More gives larger hubs.",
                                            "Barabási and Albert 1999", 1, most_peers}));
}

// A new peer cannot attach to more peers than there are.
double barabasi_albert_edges(const S& s, double peers) {
  const double each = std::min<double>(s.own.of<BarabasiAlbert>().attachments, peers - 1);
  return peers * each - each * (each + 1) / 2;
}

// For graphs without options.
template <class G>
Graph plain(const S&, std::uint32_t peers, Rng&) {
  return overlay::generate(G{peers});
}

Graph from_file(const S& s, std::uint32_t peers, Rng&) {
  return overlay::graph_from(read_topology(s.file), peers);
}

// Copies of the topology, one after the other, with an edge of each peer to the copy before.
double from_file_edges(const S& s, double peers) {
  const overlay::Topology topology = read_topology(s.file);
  return peers * (1 + static_cast<double>(topology.edges.size()) /
                          static_cast<double>(topology.labels.size()));
}

std::vector<GraphModel> make_graphs() {
  return {
      {{"erdos-renyi", "every pair with the same probability", {}, erdos_renyi_settings()},
       erdos_renyi,
       erdos_renyi_edges,
       check_degree("mean_degree", &ErdosRenyi::mean_degree)},
      {{"ring", "a circle"}, plain<overlay::Ring>, [](const S&, double peers) { return peers; }},
      {{"star", "all around one"},
       plain<overlay::Star>,
       [](const S&, double peers) { return peers - 1; }},
      {{"k-out", "every peer chooses k others", {}, k_out_settings()},
       drawn<KOut>,
       k_out_edges,
       check_degree("out_degree", &KOut::out_degree)},
      {{"watts-strogatz", "a ring with shortcuts: a small world", {}, watts_strogatz_settings()},
       drawn<WattsStrogatz>,
       watts_strogatz_edges,
       check_watts_strogatz},
      {{"barabasi-albert", "newcomers attach by degree: hubs", {}, barabasi_albert_settings()},
       drawn<BarabasiAlbert>,
       barabasi_albert_edges,
       check_degree("attachments", &BarabasiAlbert::attachments)},
      {{"grid", "rows and columns"},
       plain<overlay::Grid>,
       [](const S&, double peers) { return 2 * peers - 2 * std::sqrt(peers); }},
      {{"complete", "everybody knows everybody"}, plain<overlay::Complete>},
      {{"graphml", "a topology from a file", {"file"}},
       from_file,
       from_file_edges,
       {},
       [](const std::string& file) { return read_topology(file).labels.size(); }},
  };
}

}  // namespace

std::span<const GraphModel> graph_models() {
  static const std::vector<GraphModel> models = make_graphs();
  return models;
}

const GraphModel& graph_model(GraphKind kind) {
  return graph_models()[static_cast<std::size_t>(kind)];
}

overlay::Topology read_topology(const std::string& file) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20U;
  return overlay::parse_graphml(Lines::all_of(file, most_bytes), file);
}

}  // namespace rhizome::scenarios
