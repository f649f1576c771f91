// The graphs of scenarios: a table with one line for each kind, which gives its meaning, its keys
// of [graph] and the function that makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/peer/rng.hpp"
#include "overlay/graph.hpp"
#include "overlay/graphml.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

struct GraphModel : Model {
  std::function<overlay::Graph(const GraphSection&, std::uint32_t peers, core::Rng& rng)> make;
  // About how many edges the graph will have, to estimate memory. None: the number is not known
  // before the graph is made, or the graph takes no memory.
  std::function<double(const GraphSection&, double peers)> edges{};
  // An error in the options for that number of peers, with the key in question first; nothing where
  // all is well.
  std::function<std::optional<Complaint>(const GraphSection&, std::uint32_t peers)> complaint{};
  // The number of nodes in the graph's file; none for kinds without a file.
  std::function<std::size_t(const std::string& file)> hosts{};
};

// Indexed by GraphKind.
[[nodiscard]] std::span<const GraphModel> graph_models();
[[nodiscard]] const GraphModel& graph_model(GraphKind kind);

// Topologies from files, plain or gzipped.
// Throws UnreadableFile, InputError for a damaged archive, and GraphmlError.
[[nodiscard]] overlay::Topology read_topology(const std::string& file);

}  // namespace rhizome::scenarios
