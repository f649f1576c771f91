// Access lines and simulated payload delay the same packets for the same time on both engines.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "core/engine/thread_engine.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/peer/impairment.hpp"
#include "core/peer/latency.hpp"
#include "test/support/facts.hpp"
#include "test/support/protocols.hpp"

namespace rhizome::access_test {

namespace {

using namespace std::chrono_literals;
using core::Drop;
using core::PeerId;
using core::Time;

// A parcel takes 10 ms up and 20 ms down.
constexpr std::uint64_t parcel = 10'000 - core::header_bytes - 1;  // its encoding is one byte
constexpr core::AccessRates rates{.up = {8'000'000}, .down = {4'000'000}};

core::EngineSetup setup_of(const core::LinkChain& links, test::Mail::Options mail,
                           std::uint32_t peers = 2) {
  core::EngineSetup setup;
  setup.peers = peers;
  setup.links = &links;
  setup.limit = 2s;
  setup.access.assign(peers, rates);
  setup.simulated_payload = {.task = parcel};
  setup.make_peer = [mail](PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 7);
    peer->add<test::Mail>(mail);
    return peer;
  };
  return setup;
}

core::EngineReport run_on(bool threads, const core::EngineSetup& setup) {
  if (threads) return core::ThreadEngine(setup, {}).run({});
  return core::VirtualEngine(setup).run({});
}

std::vector<Time> arrivals(const core::Recorder& recorder) {
  std::vector<Time> list;
  for (const test::KeptFact& fact : test::facts_of(recorder.facts()))
    if (fact.name() == "got") list.push_back(fact.at);
  return list;
}

std::uint64_t drops_of(const core::EngineReport& report, Drop why) {
  std::uint64_t total = 0;
  for (const core::Recorder& recorder : report.recorders)
    total += recorder.drop_counts()[static_cast<std::size_t>(why)];
  return total;
}

void check_conserved(const core::EngineReport& report) {
  std::uint64_t sent = 0;
  std::uint64_t ended = 0;
  for (const core::Recorder& recorder : report.recorders) {
    sent += recorder.sent_count() + recorder.duplicated_count();
    ended += recorder.received_count() + recorder.dropped_count() + recorder.in_flight_count();
  }
  CHECK(sent == ended);
}

}  // namespace

TEST_CASE("parcels queue at both lines and wait as long on threads as in virtual time") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(core::Duration(5ms));
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    const auto report = run_on(threads, setup_of(links, {.parcels = 5}));
    const std::vector<Time> got = arrivals(report.recorders[1]);
    REQUIRE(got.size() == 5);
    for (int i = 0; i < 5; ++i) {
      const Time expected = Time{} + 10ms + 5ms + 20ms * (i + 1);
      if (threads)
        CHECK(got[static_cast<std::size_t>(i)] >= expected);
      else
        CHECK(got[static_cast<std::size_t>(i)] == expected);
    }
    CHECK(report.recorders[0].line()->up.packets == 5);
    CHECK(core::seconds(report.recorders[0].line()->up.busy) == doctest::Approx(0.050));
    CHECK(core::seconds(report.recorders[0].line()->up.waited) == doctest::Approx(0.100));
    CHECK(core::seconds(report.recorders[1].line()->down.busy) == doctest::Approx(0.100));
    CHECK(core::seconds(report.recorders[1].line()->down.waited) == doctest::Approx(0.100));
    CHECK(report.recorders[1].line()->down.longest.count() == 40'000'000);
    CHECK(report.recorders[0].burdens().rows().front().sent.bytes == 50'000);
    CHECK(report.recorders[1].burdens().rows().front().received.bytes == 50'000);
    check_conserved(report);
  }
}

TEST_CASE("parcels to oneself use no line on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of(links, {.parcels = 5, .to = PeerId{0}});
    setup.limit = 50ms;
    const auto report = run_on(threads, setup);
    CHECK(arrivals(report.recorders[0]).size() == 5);
    CHECK(report.recorders[0].line()->up.packets == 0);
    CHECK(report.recorders[0].line()->down.packets == 0);
    if (!threads) CHECK(report.ended == Time{});
  }
}

TEST_CASE("packets lost in the network have used the uplink and not the downlink on both engines") {
  core::LinkChain links;
  links.add<core::Loss>(1.0);
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of(links, {.parcels = 5});
    setup.limit = 200ms;
    setup.faults = {{Time{} + 100ms, PeerId{1}, core::Fault::Kind::crash}};  // lasts until then
    const auto report = run_on(threads, setup);
    CHECK(core::seconds(report.recorders[0].line()->up.busy) == doctest::Approx(0.050));
    CHECK(report.recorders[1].line()->down.packets == 0);
    CHECK(drops_of(report, Drop::lost) == 5);
    check_conserved(report);
  }
}

TEST_CASE("a duplicated parcel uses the uplink once and the downlink twice on both engines") {
  core::LinkChain links;
  links.add<core::Duplication>(1.0);
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of(links, {.parcels = 2});
    setup.limit = 300ms;
    const auto report = run_on(threads, setup);
    CHECK(report.recorders[0].line()->up.packets == 2);
    CHECK(report.recorders[1].line()->down.packets >= 3);
    check_conserved(report);
  }
}

TEST_CASE(
    "a crash drops the packets that its sender had queued, and a new life has an empty queue") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of(links, {.parcels = 20});
    setup.limit = 130ms;
    setup.faults = {{Time{} + 35ms, PeerId{0}, core::Fault::Kind::crash},
                    {Time{} + 60ms, PeerId{0}, core::Fault::Kind::restart}};
    const auto report = run_on(threads, setup);
    if (!threads) {
      CHECK(drops_of(report, Drop::lost) == 10);  // the rest would leave after the limit
      // Three parcels of the first life passed; of the second life, seven have left, and the
      // downlink is behind.
      CHECK(core::seconds(report.recorders[0].line()->up.busy) == doctest::Approx(0.105));
      CHECK(arrivals(report.recorders[1]).size() == 6);
    }
    CHECK(drops_of(report, Drop::lost) >= 1);

    check_conserved(report);
  }
}

TEST_CASE("a peer that leaves sends its queued packets before it is gone on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of(links, {.parcels = 10});
    setup.faults = {{Time{} + 35ms, PeerId{0}, core::Fault::Kind::leave}};
    const auto report = run_on(threads, setup);
    CHECK(report.ending == core::Ending::finished);
    CHECK(arrivals(report.recorders[1]).size() == 10);
    check_conserved(report);
  }
}

TEST_CASE("packets in the downlink of a peer that crashes never reach it") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of(links, {.parcels = 10}, 3);
    setup.limit = 400ms;
    setup.faults = {{Time{} + 75ms, PeerId{1}, core::Fault::Kind::crash},
                    {Time{} + 84ms, PeerId{1}, core::Fault::Kind::restart}};
    const auto report = run_on(threads, setup);
    // Three had come down by then; the others are for a life that is over.
    if (!threads) CHECK(arrivals(report.recorders[1]).size() == 3);
    CHECK(arrivals(report.recorders[1]).size() < 10);
    CHECK(drops_of(report, Drop::stale) + drops_of(report, Drop::down) ==
          10 - arrivals(report.recorders[1]).size());
    check_conserved(report);
  }
}

}  // namespace rhizome::access_test
