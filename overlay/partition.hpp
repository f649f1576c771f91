// Parts of a graph: divides its peers so that few edges lead from one part to another, for a run
// whose parts run in different places. By METIS (Karypis and Kumar 1998), where it is there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "overlay/graph.hpp"

namespace rhizome::overlay {

// Whether this build knows METIS and the library is installed; otherwise partition() divides by
// address.
[[nodiscard]] bool has_partitioner();

// The part of each peer. The size of each part is proportional to its weight, and exact to one
// peer; at least one weight is not 0. The same graph and weights give the same parts with the same
// version of METIS.
[[nodiscard]] std::vector<std::uint32_t> partition(const Graph& graph,
                                                   std::span<const std::uint32_t> weights);

// The edges that lead from part to part.
[[nodiscard]] std::size_t cut_edges(const Graph& graph, std::span<const std::uint32_t> parts);

// How many peers each part gets by its weight.
[[nodiscard]] std::vector<std::uint32_t> sizes_of_parts(std::uint32_t peers,
                                                        std::span<const std::uint32_t> weights);

// Moves peers until the parts have those sizes, which add up to all: first the peers that lose the
// fewest neighbours by it, of equal ones the lowest address.
void balance(const Graph& graph, std::span<const std::uint32_t> sizes,
             std::vector<std::uint32_t>& parts);

namespace detail {
// Divides by METIS, whose proportions are only approximate. For a graph with lists, and more than
// one part, each with a weight above 0.
[[nodiscard]] std::vector<std::uint32_t> divide(const Graph& graph,
                                                std::span<const std::uint32_t> weights);
}  // namespace detail

}  // namespace rhizome::overlay
