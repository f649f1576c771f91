// The graphs of scenarios: a line for each kind says what it is, which keys of [graph] it has, and
// how it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/peer/rng.hpp"
#include "overlay/graph.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

struct GraphModel : Model {
  std::function<overlay::Graph(const GraphSection&, std::uint32_t peers, core::Rng& rng)> make;
  // About how many there will be, for whoever estimates memory. None: only making it tells, or it
  // takes no memory.
  std::function<double(const GraphSection&, double peers)> edges{};
  // What cannot be among so many peers, the key in question first; nothing where all is well.
  std::function<std::optional<Complaint>(const GraphSection&, std::uint32_t peers)> complaint{};
  // How many nodes its file has; none without a file.
  std::function<std::size_t(const std::string& file)> hosts{};
};

// By the positions of GraphKind.
[[nodiscard]] std::span<const GraphModel> graph_models();
[[nodiscard]] const GraphModel& graph_model(GraphKind kind);

}  // namespace rhizome::scenarios
