#include "scenarios/world/topology_file.hpp"

#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

overlay::Topology read_topology(const std::string& file) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20U;
  return overlay::parse_graphml(Lines::all_of(file, most_bytes), file);
}

}  // namespace rhizome::scenarios
