// Gossip on our own engines.
#include <algorithm>
#include <memory>

#include "core/engine/thread_engine.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/peer/latency.hpp"
#include "test/bench/systems.hpp"
#include "test/support/gossip.hpp"

namespace rhizome::bench {

namespace {

core::EngineSetup setup_of(const BenchLoad& load, const core::LinkChain& links) {
  core::EngineSetup setup;
  setup.peers = load.peers;
  setup.links = &links;
  setup.seed = 1;
  setup.make_peer = [peers = load.peers](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 1);
    peer->add<test::Gossip>(test::GossipOptions{.peers = peers});
    return peer;
  };
  return setup;
}

}  // namespace

Measurement thread_engine(const BenchLoad& load) {
  const double resident_before = resident_bytes();
  double resident = resident_before;
  const core::LinkChain links;
  core::EngineSetup setup = setup_of(load, links);
  setup.limit = core::from_seconds(load.seconds);

  const Stopwatch whole;
  core::ThreadEngine engine(std::move(setup), {});
  const core::EngineReport report = engine.run(
      {.tick = [&resident](core::Time) { resident = std::max(resident, resident_bytes()); }});
  return {.count = static_cast<double>(report.events),
          .seconds = core::seconds(report.ended),
          .startup = whole.seconds() - std::chrono::duration<double>(report.wall).count(),
          .resident_bytes = resident - resident_before};
}

Measurement virtual_engine(const BenchLoad& load) {
  const double resident_before = resident_bytes();
  core::LinkChain links;
  links.add<core::ConstantLatency>(std::chrono::milliseconds(1));

  const Stopwatch starting;
  core::VirtualEngine engine(setup_of(load, links));
  static_cast<void>(engine.run_until(core::Time{}));  // which starts every peer
  const double startup = starting.seconds();

  std::atomic<bool> stop{false};
  double resident = 0;
  const Stopwatch running;
  const core::EngineReport report = engine.run({.stop = &stop, .tick = [&](core::Time) {
                                                  resident = resident_bytes();
                                                  stop = running.seconds() >= load.seconds;
                                                }});
  return {.count = static_cast<double>(report.events),
          .seconds = std::chrono::duration<double>(report.wall).count(),
          .startup = startup,
          .resident_bytes = resident - resident_before};
}

}  // namespace rhizome::bench
