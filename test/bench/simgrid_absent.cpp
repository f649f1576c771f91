// Stands in for simgrid.cpp where SimGrid is not installed.
#include <stdexcept>

#include "test/bench/systems.hpp"

namespace rhizome::bench {

Measurement simgrid(const BenchLoad&, const SimGridForm&) {
  throw std::runtime_error("built without SimGrid (libsimgrid-dev)");
}

std::optional<std::string> simgrid_version() { return {}; }

}  // namespace rhizome::bench
