#include "test/bench/overlays.hpp"

#include <memory>

#include "core/engine/virtual_engine.hpp"
#include "core/peer/latency.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/t_man.hpp"

namespace rhizome::bench {

namespace {

using core::PeerId;

enum class Layers { cyclon, cyclon_and_gradient };

core::EngineSetup setup_of(std::uint32_t peers, Layers layers, const core::LinkChain& links) {
  core::EngineSetup setup;
  setup.peers = peers;
  setup.links = &links;
  setup.seed = 1;
  setup.make_peer = [=](PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 1);
    const overlay::CyclonOptions options;
    auto& cyclon = peer->add<overlay::Cyclon>(options, overlay::Neighbours::all_but(id, peers));
    cyclon.advertise({.utility = static_cast<double>(id.value)});
    if (layers == Layers::cyclon_and_gradient)
      peer->add<overlay::TMan>(overlay::TManOptions{}, overlay::Ranking::gradient(), cyclon);
    return peer;
  };
  return setup;
}

std::uint64_t shuffles(const core::VirtualEngine& engine, std::uint32_t peers) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < peers; ++i)
    sum += engine.peer(PeerId{i})->find<overlay::Cyclon>()->shuffles();
  return sum;
}

Measurement run(const BenchLoad& load, Layers layers) {
  const double resident_before = resident_bytes();
  core::LinkChain links;
  links.add<core::ConstantLatency>(std::chrono::milliseconds(30));

  const Stopwatch starting;
  core::VirtualEngine engine(setup_of(load.peers, layers, links));
  core::Time until{};
  engine.run_until(until);  // which starts every peer
  Measurement measured{.startup = starting.seconds()};

  const Stopwatch running;
  for (std::uint32_t cycle = 0; load.goes_on(cycle, running); ++cycle)
    engine.run_until(until += overlay::CyclonOptions{}.period);
  measured.seconds = running.seconds();
  measured.resident_bytes = peak_bytes() - resident_before;
  measured.count = static_cast<double>(shuffles(engine, load.peers));
  return measured;
}

}  // namespace

Measurement cyclon(const BenchLoad& load) { return run(load, Layers::cyclon); }
Measurement gradient(const BenchLoad& load) { return run(load, Layers::cyclon_and_gradient); }

}  // namespace rhizome::bench
