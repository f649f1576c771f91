// Properties that only real threads can break: starting many, sleeping, stopping, and reporting
// limits.
#include "core/engine/thread_engine.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

#include "core/engine/limits.hpp"
#include "core/engine/transport.hpp"
#include "test/support/engines.hpp"
#include "test/support/facts.hpp"
#include "test/support/gossip.hpp"
#include "test/support/protocols.hpp"

namespace rhizome::thread_engine_test {

using namespace std::chrono_literals;
using core::EngineReport;
using core::EngineSetup;
using test::setup_of;
using test::total;

namespace {

EngineSetup gossip(std::uint32_t peers, core::Duration limit) {
  return setup_of(peers, limit, [peers](core::Peer& peer) {
    peer.add<test::Gossip>(test::GossipOptions{.peers = peers});
  });
}

// How often threads of this process have gone to sleep.
std::int64_t sleeps() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

// Blocks its thread until the test lets go: a handler that does not return.
struct Blocked {
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "blocked";
  std::atomic<bool>* released;
  explicit Blocked(std::atomic<bool>* flag) : released(flag) {}
  void start(Env&) { released->wait(false); }
  void on(Env&, core::PeerId, const test::Ball&) {}
};

// Peer 0 calls peer 1 twice, which dozes over the first call.
struct Dozes {
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "dozes";
  static constexpr auto nap = 200ms;
  void start(Env& env) {
    if (env.self().value != 0) return;
    for (int i = 0; i < 2; ++i) env.send(core::PeerId{1}, test::Ball{});
  }
  void on(Env&, core::PeerId, const test::Ball&) {
    if (!std::exchange(dozed_, true)) std::this_thread::sleep_for(nap);
  }

 private:
  bool dozed_ = false;
};

// Peer 0 finishes after a while. Peer 1 does at once, and then dozes over what its first life has
// still to do.
struct DozesInTheEnd {
  struct Later {};
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages, core::OneOf<Later>>;
  static constexpr std::string_view name = "dozes-in-the-end";
  void start(Env& env) {
    const bool last = env.self().value == 0;
    if (!last) env.finish();
    if (last || env.incarnation().value == 0) env.after(last ? 30ms : 1ms, Later{});
  }
  void on(Env&, core::PeerId, const test::Ball&) {}
  void on(Env& env, const Later&) {
    if (env.self().value == 0)
      env.finish();
    else
      std::this_thread::sleep_for(200ms);
  }
};

// Sends to itself without end.
struct Flood {
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "flood";
  void start(Env& env) {
    for (int i = 0; i < 20; ++i) env.send(env.self(), test::Ball{});
  }
  void on(Env& env, core::PeerId, const test::Ball& ball) { env.send(env.self(), ball); }
};

// Peer 0 is always about to do something; all others wait for a timer in an hour.
struct Ticks {
  struct Due {};
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages, core::OneOf<Due>>;
  static constexpr std::string_view name = "ticks";
  void start(Env& env) { env.after(env.self().value == 0 ? core::Duration{1ms} : 1h, Due{}); }
  void on(Env&, core::PeerId, const test::Ball&) {}
  void on(Env& env, const Due&) { start(env); }
};

// In the handler in which peer 0 asks the run to stop it has a thousand packets for peer 1.
struct LastWords {
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "last-words";
  static constexpr int words = 1000;
  std::atomic<bool>* stop;
  explicit LastWords(std::atomic<bool>* flag) : stop(flag) {}
  void start(Env& env) {
    if (env.self().value != 0) return;
    *stop = true;
    for (int i = 0; i < words; ++i) env.send(core::PeerId{1}, test::Ball{});
  }
  void on(Env&, core::PeerId, const test::Ball&) {}
};

std::size_t threads_here() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

struct Throws {
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "throws";
  void start(Env& env) {
    if (env.self().value == 3) throw std::logic_error("peer 3 is unhappy");
  }
  void on(Env&, core::PeerId, const test::Ball&) {}
};

}  // namespace

TEST_CASE("gossip among fifty peer threads conserves every packet") {
  const EngineReport report = core::ThreadEngine(gossip(50, 1s), {}).run({});
  const auto sent = total(report, &core::Recorder::sent_count);
  CHECK(sent > 1000);
  CHECK(sent == total(report, &core::Recorder::received_count) +
                    total(report, &core::Recorder::dropped_count) +
                    total(report, &core::Recorder::in_flight_count));
  CHECK(report.ending == core::Ending::limit);
}

TEST_CASE("packets are conserved while peers crash and restart") {
  EngineSetup setup = gossip(40, 1s);
  for (std::uint32_t i = 0; i < 20; ++i) {
    const core::Time at = core::Time{} + (i + 1) * 20ms;
    setup.faults.push_back({at, core::PeerId{i}, core::Fault::Kind::crash});
    setup.faults.push_back({at + 100ms, core::PeerId{i}, core::Fault::Kind::restart});
  }
  const EngineReport report = core::ThreadEngine(setup, {}).run({});
  CHECK(total(report, &core::Recorder::dropped_count) > 0);
  CHECK(total(report, &core::Recorder::sent_count) ==
        total(report, &core::Recorder::received_count) +
            total(report, &core::Recorder::dropped_count) +
            total(report, &core::Recorder::in_flight_count));
  CHECK(report.incarnations[5].value == 1);
}

TEST_CASE("a run is not over while a peer has yet to take its restart") {
  EngineSetup setup = setup_of(2, 10s, [](core::Peer& peer) { peer.add<DozesInTheEnd>(); });
  setup.faults.push_back({core::Time{10ms}, core::PeerId{1}, core::Fault::Kind::crash});
  setup.faults.push_back({core::Time{15ms}, core::PeerId{1}, core::Fault::Kind::restart});
  const EngineReport report = core::ThreadEngine(setup, {}).run({});
  CHECK(report.ending == core::Ending::finished);
  CHECK(report.incarnations[1].value == 1);
  CHECK(report.finished[1]);
}

TEST_CASE("both transports deliver everything to where it is sent") {
  for (const bool striped : {false, true}) {
    CAPTURE(striped);
    const auto transport =
        striped ? core::make_striped_transport(100) : core::make_direct_transport(100);
    for (std::uint32_t i = 0; i < 100; ++i)
      for (std::uint64_t n = 0; n < 3; ++n) transport->send(core::PeerId{i}, {.number = i + n}, {});
    for (std::uint32_t i = 0; i < 100; ++i) {
      core::Inbox& inbox = transport->inbox(core::PeerId{i});
      CHECK(inbox.depth() == 3);
      for (std::uint64_t n = 0; n < 3; ++n) {
        const auto delivery = inbox.receive(1s);
        REQUIRE(delivery);
        CHECK(delivery->envelope.number == i + n);
      }
      CHECK_FALSE(inbox.receive(0ns));
      CHECK(inbox.depth() == 0);
    }
  }
}

TEST_CASE("an inbox wakes within its time-out when nothing comes") {
  const auto transport = core::make_direct_transport(1);
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(transport->inbox(core::PeerId{0}).receive(3'500us));
  const auto waited = std::chrono::steady_clock::now() - begin;
  CHECK(waited >= 2ms);
  CHECK(waited < 2s);
}

// A thread that polls wakes again and again; unlike processor time, the number of wake-ups does not
// depend on the machine's speed.
TEST_CASE("idle peers are not woken") {
  const std::int64_t before = sleeps();
  const EngineReport report =
      core::ThreadEngine(setup_of(200, 2s, [](core::Peer& peer) { peer.add<test::PingPong>(0U); }),
                         {})
          .run({});
  CHECK(report.ending == core::Ending::limit);
  CHECK(sleeps() - before < 200 * 10);  // starting and stopping 200 threads included
}

TEST_CASE("peers that flood themselves are stopped all the same") {
  const auto begin = std::chrono::steady_clock::now();
  const EngineReport report =
      core::ThreadEngine(setup_of(20, 300ms, [](core::Peer& peer) { peer.add<Flood>(); }), {})
          .run({});
  CHECK(report.events > 0);
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
}

TEST_CASE("a handler that does not return is reported and not waited for") {
  static std::atomic<bool> released{false};  // outlives the threads that stay behind
  core::ThreadEngine engine(
      setup_of(3, 50ms, [](core::Peer& peer) { peer.add<Blocked>(&released); }),
      {.stop_within = 200ms});
  CHECK_THROWS_AS(static_cast<void>(engine.run({})), core::StuckPeer);
  released = true;
  released.notify_all();
}

TEST_CASE("a thread that stood still is told as one stall, from when it should have moved") {
  EngineSetup setup = setup_of(3, 400ms, [](core::Peer& peer) { peer.add<Dozes>(); });
  const auto stalls_of_dozer = [&] {
    const EngineReport report = core::ThreadEngine(setup, {}).run({});
    std::vector<core::Stall> stalls;
    for (const core::Stall& stall : report.fidelity.stalls)
      if (stall.peer == core::PeerId{1}) stalls.push_back(stall);
    return stalls;
  };
  CHECK(stalls_of_dozer().empty());  // without a tolerance none is told
  setup.lag_tolerance = 100ms;
  const auto stalls = stalls_of_dozer();
  REQUIRE(stalls.size() == 1);
  CHECK(stalls[0].until - stalls[0].from >= Dozes::nap);
  setup.lag_tolerance = 10s;
  CHECK(stalls_of_dozer().empty());
}

TEST_CASE("an exception in a handler ends the run and reaches the caller") {
  core::ThreadEngine engine(setup_of(10, 20s, [](core::Peer& peer) { peer.add<Throws>(); }), {});
  CHECK_THROWS_WITH_AS(static_cast<void>(engine.run({})), "peer 3 is unhappy", std::logic_error);
}

TEST_CASE("a run asked to stop stops") {
  std::atomic<bool> stop{true};
  const EngineReport report = core::ThreadEngine(gossip(10, 1h), {}).run({.stop = &stop});
  CHECK(report.ending == core::Ending::interrupted);
}

// With thousands of peers the thread that conducts the run waits long for its turn.
TEST_CASE("a request to stop a run is seen by every peer, though no thread conducts the run") {
  constexpr std::size_t peers = 50;
  std::atomic<bool> stop{false};
  std::size_t left = peers;
  const auto ask = [&](core::Time now) {
    constexpr core::Time asleep{300ms};
    if (now < asleep || stop.exchange(true)) return;
    const auto patience = std::chrono::steady_clock::now() + 20s;
    while ((left = threads_here()) >= peers && std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(1ms);
  };
  core::ThreadEngine engine(setup_of(peers, 1h, [](core::Peer& peer) { peer.add<Ticks>(); }), {});
  const EngineReport report = engine.run({.stop = &stop, .tick = ask});
  CHECK(report.ending == core::Ending::interrupted);
  CHECK(left < peers);
}

TEST_CASE("a packet sent once a run is over counts as in flight to its receiver, as in a replay") {
  std::atomic<bool> stop{false};
  const auto last_words = [&](core::Peer& peer) { peer.add<LastWords>(&stop); };
  const EngineReport report =
      core::ThreadEngine(setup_of(2, 1h, last_words), {}).run({.stop = &stop});
  CHECK(report.recorders[0].sent_count() == LastWords::words);
  CHECK(report.recorders[0].in_flight_count() == 0);
  CHECK(report.recorders[1].in_flight_count() == LastWords::words);
}

TEST_CASE("the thread that calls for a run conducts nothing, so that it is free for signals") {
  std::atomic<bool> stop{false};
  std::thread::id conductor;
  const auto look = [&](core::Time) {
    conductor = std::this_thread::get_id();
    stop = true;
  };
  static_cast<void>(core::ThreadEngine(gossip(10, 1h), {}).run({.stop = &stop, .tick = look}));
  CHECK(conductor != std::thread::id{});
  CHECK(conductor != std::this_thread::get_id());
}

TEST_CASE("a run that has nearly all memory ends, before the system ends the process") {
  constexpr std::uint64_t taken{1U << 30U};
  const auto run_in = [](std::uint64_t bytes) {
    const core::ThreadOptions options{.memory_room = [=] {
      return core::MemoryRoom{"the memory", bytes, taken};
    }};
    return core::ThreadEngine(gossip(10, 200ms), options).run({});
  };
  CHECK_NOTHROW(static_cast<void>(run_in(2 * taken)));
  CHECK_THROWS_AS(static_cast<void>(run_in(taken)), core::LimitExceeded);
}

TEST_CASE("emulated time runs faster than real time by the time scale") {
  const auto begin = std::chrono::steady_clock::now();
  const EngineReport report =
      core::ThreadEngine(
          setup_of(2, 60s,
                   [](core::Peer& p) { p.add<test::Routine>(core::Work{.duration = 10s}); }),
          {.time_scale = 50})
          .run({});
  CHECK(report.ending == core::Ending::finished);
  CHECK(test::facts_of(report.recorders[0].facts()).at(0).as<test::Worked>().took >= 10s);
  CHECK(std::chrono::steady_clock::now() - begin < 5s);
}

TEST_CASE("more peers than the machine carries are refused before anything starts") {
  const auto refuse = [] { core::ThreadEngine engine(gossip(3'000'000, 1s), {}); };
  CHECK_THROWS_AS(refuse(), core::LimitExceeded);
  const auto limits = core::machine_limits();
  REQUIRE_FALSE(limits.empty());
  for (std::size_t i = 1; i < limits.size(); ++i) CHECK(limits[i - 1].peers <= limits[i].peers);
}

}  // namespace rhizome::thread_engine_test
