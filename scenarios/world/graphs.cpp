#include "scenarios/world/graphs.hpp"

#include <algorithm>
#include <vector>

#include "overlay/graph_generators.hpp"
#include "overlay/graphml.hpp"

namespace rhizome::scenarios {

namespace {

using core::Rng;
using overlay::Graph;
using S = GraphSection;

std::vector<GraphModel> make_models() {
  return {
      {{"erdos-renyi", "every pair with the same probability", {"mean_degree"}},
       [](const S& s, std::uint32_t peers, Rng& rng) -> Graph {
         const double probability = std::min(1.0, s.mean_degree / (peers - 1));
         return overlay::generate(overlay::ErdosRenyi{peers, probability}, rng);
       }},
      {{"ring", "a circle", {}},
       [](const S&, std::uint32_t peers, Rng&) -> Graph {
         return overlay::generate(overlay::Ring{peers});
       }},
      {{"star", "all around one", {}},
       [](const S&, std::uint32_t peers, Rng&) -> Graph {
         return overlay::generate(overlay::Star{peers});
       }},
      {{"k-out", "every peer chooses k others", {"out_degree"}},
       [](const S& s, std::uint32_t peers, Rng& rng) -> Graph {
         return overlay::generate(overlay::KOut{peers, s.out_degree}, rng);
       }},
      {{"watts-strogatz", "a ring with shortcuts: a small world", {"nearest", "rewiring"}},
       [](const S& s, std::uint32_t peers, Rng& rng) -> Graph {
         return overlay::generate(overlay::WattsStrogatz{peers, s.nearest, s.rewiring}, rng);
       }},
      {{"barabasi-albert", "newcomers attach by degree: hubs", {"attachments"}},
       [](const S& s, std::uint32_t peers, Rng& rng) -> Graph {
         return overlay::generate(overlay::BarabasiAlbert{peers, s.attachments}, rng);
       }},
      {{"grid", "rows and columns", {}},
       [](const S&, std::uint32_t peers, Rng&) -> Graph {
         return overlay::generate(overlay::Grid{peers});
       }},
      {{"complete", "everybody knows everybody", {}},
       [](const S&, std::uint32_t peers, Rng&) -> Graph {
         return overlay::generate(overlay::Complete{peers});
       }},
      {{"graphml", "a topology from a file", {"file"}},
       [](const S& s, std::uint32_t peers, Rng&) -> Graph {
         return overlay::graph_from(overlay::read_graphml(s.file), peers);
       }},
  };
}

}  // namespace

std::span<const GraphModel> graph_models() {
  static const std::vector<GraphModel> models = make_models();
  return models;
}

const GraphModel& graph_model(GraphKind kind) {
  return graph_models()[static_cast<std::size_t>(kind)];
}

}  // namespace rhizome::scenarios
