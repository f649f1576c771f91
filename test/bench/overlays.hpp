// Overlays at scale: Cyclon and the Gradient in virtual time, and the cheapest simulator of Cyclon.
// All begin with views drawn by chance, and count shuffles.
#pragma once

#include "test/bench/measure.hpp"

namespace rhizome::bench {

// On the virtual engine; every packet takes 30 emulated milliseconds of a period of 250.
[[nodiscard]] Measurement cyclon(const BenchLoad& load);

// Cyclon with T-Man above it, ranking by the gradient; utilities are the addresses. For each
// shuffle there is an exchange of T-Man, in the same time.
[[nodiscard]] Measurement gradient(const BenchLoad& load);

// A minimal cycle-driven simulator, such as PeerSim: an array of views, and a loop that lets every
// peer shuffle once per cycle, at once, on its partner's view. No messages, no bytes, no time, no
// loss, nothing counted.
[[nodiscard]] Measurement cycle_driven(const BenchLoad& load);

}  // namespace rhizome::bench
