// Meshes of several processes, here of one: packets put in at one end come out at the other, and no
// stranger can put any in.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/partial_report.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/mesh/admission.hpp"
#include "core/mesh/crossing.hpp"
#include "core/mesh/wire.hpp"
#include "test/support/crossing.hpp"
#include "test/support/engines.hpp"
#include "test/support/facts.hpp"
#include "test/support/gossip.hpp"
#include "test/support/meshes.hpp"
#include "test/support/protocols.hpp"
#include "test/support/strangers.hpp"

namespace rhizome::mesh_test {

using namespace std::chrono_literals;
using core::Mesh;
using core::MeshOptions;
using core::PacketHeader;
using core::PeerId;
using core::Placement;
using core::RunOfMany;
using test::comes_true;
using test::options_of;
using test::Processes;
using test::run_of;
using test::Stranger;
using test::total;

namespace {

// The reports of a run that goes through the meshes, merged.
core::EngineReport run_through(Processes& processes, const core::EngineSetup& setup,
                               const Placement& placement, std::uint32_t number) {
  std::vector<core::PartialReport> parts(placement.shares());
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < placement.shares(); ++rank)
    threads.emplace_back([&, rank] {
      const RunOfMany run = run_of(placement, rank, setup.peers, number);
      core::Crossing crossing(processes[rank], run);
      core::SharedControl control(run.share, crossing, setup);
      core::ThreadEngine engine(setup, {}, {run.share, &control, &crossing});
      crossing.open(engine.entrance());
      parts[rank] = {run.share.peers_of(setup.peers), engine.run({})};
      crossing.close();
    });
  for (std::thread& thread : threads) thread.join();
  return core::merge(std::move(parts), setup.peers);
}

core::EngineSetup gossip(std::uint32_t peers) {
  return test::setup_of(peers, 300ms, [peers](core::Peer& peer) {
    peer.add<test::Gossip>(test::GossipOptions{.peers = peers});
  });
}

void check_conserved(const core::EngineReport& report) {
  CHECK(total(report, &core::Recorder::sent_count) > 100);
  CHECK(total(report, &core::Recorder::sent_count) ==
        total(report, &core::Recorder::received_count) +
            total(report, &core::Recorder::dropped_count) +
            total(report, &core::Recorder::in_flight_count));
}

// Whether anything comes within a while, in which that is done again and again.
template <class Meanwhile>
bool hears(core::Wire& wire, Meanwhile meanwhile) {
  for (int tries = 0; tries < 60; ++tries) {
    meanwhile();
    if (wire.receive()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

}  // namespace

TEST_CASE("parcels of any size come whole and in order, and clocks of one machine agree") {
  Processes processes(3);
  core::Bytes large(std::size_t{5} << 20U);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::byte>(i * 7);
  processes[2].send(0, large);
  processes[2].send(0, {});
  const auto first = processes[0].receive(10s);
  REQUIRE(first);
  CHECK(first->from == 2);
  CHECK(first->bytes == large);
  const auto second = processes[0].receive(10s);
  REQUIRE(second);
  CHECK(second->bytes.empty());
  CHECK_FALSE(processes[0].receive(10ms).has_value());
  for (const std::size_t rank : {1U, 2U}) {
    const core::ClockOffset clock = processes[rank].clock();
    CHECK(clock.samples() >= 64);
    CHECK(std::chrono::abs(clock.offset()) <= clock.bound());
    CHECK(clock.bound() < 50ms);
  }
}

TEST_CASE("a run through links conserves its packets, and so does the next") {
  Processes processes(3);
  for (const std::uint32_t number : {1U, 2U, 3U}) {
    core::EngineSetup setup = gossip(24);
    setup.faults.push_back({core::Time{50ms}, PeerId{5}, core::Fault::Kind::crash});
    setup.faults.push_back({core::Time{90ms}, PeerId{5}, core::Fault::Kind::restart});
    const auto report = run_through(processes, setup, Placement::round_robin(24, 3), number);
    CHECK(report.recorders.size() == 24);
    CHECK(report.incarnations[5].value == 1);
    check_conserved(report);
  }
}

TEST_CASE("only the process that is expected gets in, by its key, and only once") {
  zmq::context_t context;
  core::Admission admission(context);
  const core::KeyPair here = core::KeyPair::make();
  const core::KeyPair expected = core::KeyPair::make();
  core::Wire door(context, here, 1);
  const std::string endpoint = door.listen("127.0.0.1");
  door.accept("");
  admission.expect(1, expected.open);
  const auto gets_in = [&](const core::KeyPair& keys) {
    const Stranger caller(endpoint, here.open, keys);
    return hears(door, [&] { admission.answer(); });
  };
  CHECK_FALSE(gets_in(core::KeyPair::make()));
  CHECK(gets_in(expected));
  while (hears(door, [] {})) {
  }
  CHECK_FALSE(gets_in(expected));
}

TEST_CASE("a connection with a key that was not announced is refused") {
  zmq::context_t context;
  const core::KeyPair here = core::KeyPair::make();
  core::Wire door(context, here, 1);
  const std::string endpoint = door.listen("127.0.0.1");
  door.accept("");
  const Stranger caller(endpoint, here.open, core::KeyPair::make());
  CHECK_FALSE(hears(door, [] {}));
}

TEST_CASE("all are known to be ready, and how well they know the clock, before the first run") {
  Processes processes(3);
  CHECK(processes[0].clock_bound() > 0ns);
  CHECK(processes[0].clock_bound() < 50ms);
}

TEST_CASE("processes listen where they may") {
  MeshOptions options = options_of("here");
  options.ports = core::PortRange{41'300, 41'399};
  Processes processes(3, options);
  for (const std::size_t rank : {0U, 1U})
    for (const std::string& endpoint : processes.descriptor(rank).endpoints) {
      if (endpoint.empty()) continue;
      const int port = std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
      CHECK(port >= 41'300);
      CHECK(port <= 41'399);
    }
  zmq::context_t context;
  const core::KeyPair keys = core::KeyPair::make();
  core::Wire first(context, keys, 1);
  const std::string taken = first.listen("127.0.0.1");
  const auto port = static_cast<std::uint16_t>(std::stoi(taken.substr(taken.rfind(':') + 1)));
  core::Wire second(context, keys, 2);
  const std::string text = std::to_string(port);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(second.listen("127.0.0.1", core::PortRange{port, port})),
      ("this host cannot listen on 127.0.0.1: none of ports " + text + " to " + text + " is free")
          .c_str(),
      core::Unreachable);
}

TEST_CASE("a process that sends forbidden messages is given up by all") {
  Processes processes(3);
  const Placement placement = Placement::round_robin(3, 3);
  core::Crossing inside(processes[0], run_of(placement, 0, 3));
  test::Inside counted;
  inside.open(counted);
  core::Crossing liar(processes[2], run_of(placement, 2, 3));
  CHECK_FALSE(liar.put({.from = PeerId{1}, .to = PeerId{0}}, {}).has_value());
  CHECK(comes_true([&] { return processes[0].loss_of(2).has_value(); }));
  CHECK(comes_true([&] { return processes[1].loss_of(2).has_value(); }));
  CHECK(comes_true([&] { return processes[2].loss_of(0).has_value(); }));
  CHECK(processes[0].loss_of(2)->why == "it said what cannot be read");
  CHECK(counted.packets() == 0);
  CHECK(inside.put({.from = PeerId{0}, .to = PeerId{2}}, {}) == core::Drop::machine);
  CHECK_FALSE(inside.put({.from = PeerId{0}, .to = PeerId{1}}, {}).has_value());
}

TEST_CASE("if two processes cannot reach each other the one of the higher number is given up") {
  Processes processes(3);
  const Placement placement = Placement::round_robin(3, 3);
  core::Crossing inside(processes[2], run_of(placement, 2, 3));
  test::Inside counted;
  inside.open(counted);
  core::Crossing liar(processes[1], run_of(placement, 1, 3));
  CHECK_FALSE(liar.put({.from = PeerId{0}, .to = PeerId{2}}, {}).has_value());
  CHECK(comes_true([&] { return processes[0].loss_of(2).has_value(); }));
  CHECK(processes[0].loss_of(2)->why == "another process could not reach it");
  CHECK(comes_true([&] { return processes[1].loss_of(2).has_value(); }));
  CHECK(comes_true([&] { return processes[2].loss_of(0).has_value(); }));
  CHECK_FALSE(processes[0].loss_of(1).has_value());
}

TEST_CASE("a process of which nothing is heard is given up, and finds that out once it goes on") {
  MeshOptions options = options_of("here");
  options.dead_after = 600ms;
  Processes processes(3, options);
  const Placement placement = Placement::round_robin(3, 3);
  core::Crossing slow(processes[1], run_of(placement, 1, 3));
  test::Slow inside(2500ms);
  slow.open(inside);
  core::Crossing other(processes[0], run_of(placement, 0, 3));
  CHECK_FALSE(other.put({.from = PeerId{0}, .to = PeerId{1}}, {}).has_value());
  CHECK(comes_true([&] { return inside.is_busy(); }));
  CHECK(comes_true([&] { return processes[0].loss_of(1).has_value(); }));
  CHECK(processes[0].loss_of(1)->why == "nothing was heard of it for 0.60 s");
  const auto silent = processes[0].loss_of(1)->noticed - processes[0].loss_of(1)->last_heard;
  CHECK(silent >= 600ms);
  CHECK_FALSE(processes[1].loss_of(0).has_value());
  CHECK(comes_true([&] { return processes[1].loss_of(0).has_value(); }));
  CHECK(processes[2].losses().size() == 1);
}

}  // namespace rhizome::mesh_test
