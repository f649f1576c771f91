// Generators of neighbour graphs. Each graph is connected and depends on nothing but its options
// and the random stream.
#pragma once

#include <cstdint>

#include "core/peer/rng.hpp"
#include "overlay/graph.hpp"

namespace rhizome::overlay {

// Every pair is an edge with the same probability (Erdős and Rényi 1959; Gilbert 1959).
struct ErdosRenyi {
  std::uint32_t peers;
  double
      probability;  // the mean degree over (peers - 1); below ln(peers) / peers parts need joining
};
[[nodiscard]] Graph generate(const ErdosRenyi&, core::Rng&);

// Peer i and peer i + 1 are neighbours, and the last and the first.
struct Ring {
  std::uint32_t peers;
};
[[nodiscard]] Graph generate(const Ring&);

// Every other peer is a neighbour of peer 0.
struct Star {
  std::uint32_t peers;
};
[[nodiscard]] Graph generate(const Star&);

// Every peer chooses `out_degree` different others; a choice makes both neighbours.
struct KOut {
  std::uint32_t peers = 0;
  std::uint32_t out_degree = 3;  // the mean degree is nearly twice as much
};
[[nodiscard]] Graph generate(const KOut&, core::Rng&);

// A ring of `nearest` neighbours, each edge of which is moved with probability `rewiring` (Watts
// and Strogatz 1998).
struct WattsStrogatz {
  std::uint32_t peers = 0;
  std::uint32_t nearest = 6;  // half of them on each side, so an odd number counts as one less
  double rewiring = 0.1;      // 0 leaves a lattice; a tenth shortens its ways, 1 leaves no clusters
};
[[nodiscard]] Graph generate(const WattsStrogatz&, core::Rng&);

// Peers come one by one and attach to `attachments` others, chosen by their degrees (Barabási and
// Albert 1999).
struct BarabasiAlbert {
  std::uint32_t peers = 0;
  std::uint32_t attachments = 3;  // the least degree; the mean is twice as much
};
[[nodiscard]] Graph generate(const BarabasiAlbert&, core::Rng&);

// Rows and columns as near to a square as the number of peers allows; the last row may be short.
struct Grid {
  std::uint32_t peers;
};
[[nodiscard]] Graph generate(const Grid&);

// Every peer is a neighbour of every other; costs no memory.
struct Complete {
  std::uint32_t peers;
};
[[nodiscard]] Graph generate(const Complete&);

}  // namespace rhizome::overlay
