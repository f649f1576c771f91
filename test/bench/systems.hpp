// Systems that carry the same gossip: our engines and the systems that they are compared with.
#pragma once

#include <optional>
#include <string>

#include "test/bench/measure.hpp"

namespace rhizome::bench {

// The thread engine over ZeroMQ, one emulated second a real second, without links.
[[nodiscard]] Measurement thread_engine(const BenchLoad& load);

// The same in so many processes, of which each runs as many of the peers.
[[nodiscard]] Run processes(std::uint32_t count);

// The virtual engine; every packet takes one emulated millisecond.
[[nodiscard]] Measurement virtual_engine(const BenchLoad& load);

// The price of waking threads and no more: a thread per peer, and per thread a vector of messages
// under a mutex and an eventfd, on stacks as small as the thread engine's. No sockets, no codec, no
// counting by kind, no clock.
[[nodiscard]] Measurement bare_mailboxes(const BenchLoad& load);

// SimGrid S4U: an actor and a mailbox per peer, raw contexts on small stacks, the payload handed
// over by pointer. Every message takes one simulated millisecond.
struct SimGridForm {
  // Constant: the model in which every message takes the same time, which is SimGrid's fastest.
  // Flows: the model of shared links, as SimGrid is usually run, with one link that is never full.
  enum class Network : std::uint8_t { constant, flows };
  // Detached puts are forgotten at once; kept ones are waited for when 64 newer ones have been
  // sent, by which time they have long arrived.
  enum class Puts : std::uint8_t { detached, kept };
  Network network = Network::constant;
  Puts puts = Puts::detached;
};
[[nodiscard]] Measurement simgrid(const BenchLoad& load, const SimGridForm& form);

// The version, or nothing when the benchmark was built without SimGrid.
[[nodiscard]] std::optional<std::string> simgrid_version();

}  // namespace rhizome::bench
