// A build without METIS.
#include "overlay/partition.hpp"

namespace rhizome::overlay {

bool has_partitioner() { return false; }

std::vector<std::uint32_t> detail::divide(const Graph& graph, std::span<const std::uint32_t>) {
  return std::vector<std::uint32_t>(graph.peers());
}

}  // namespace rhizome::overlay
