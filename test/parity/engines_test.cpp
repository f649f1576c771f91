// The same protocol on both engines: its results must be equal where they must not depend on the
// engine.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "agents/work/kinds.hpp"
#include "agents/work/matrix.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/peer/latency.hpp"
#include "test/support/facts.hpp"
#include "test/support/protocols.hpp"
#include "test/support/works.hpp"

namespace rhizome::engines_test {

namespace {

using namespace std::chrono_literals;

core::EngineReport run_on(bool threads, const core::EngineSetup& setup) {
  if (threads) return core::ThreadEngine(setup, {}).run({});
  return core::VirtualEngine(setup).run({});
}

template <class P, class... A>
core::EngineSetup setup_of(std::uint32_t peers, const core::LinkChain& links, A... arguments) {
  core::EngineSetup setup;
  setup.peers = peers;
  setup.links = &links;
  setup.limit = 20s;
  setup.make_peer = [arguments...](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 7);
    peer->add<P>(arguments...);
    return peer;
  };
  return setup;
}

std::uint64_t sum(const core::EngineReport& report,
                  std::uint64_t (core::Recorder::*count)() const) {
  std::uint64_t total = 0;
  for (const core::Recorder& recorder : report.recorders) total += (recorder.*count)();
  return total;
}

// No armed timers, for every peer.
std::vector<std::vector<std::string>> at_rest(const core::EngineReport& report) {
  return std::vector<std::vector<std::string>>(report.recorders.size());
}

std::vector<std::string> names_of(const core::Recorder& recorder) {
  std::vector<std::string> names;
  for (const test::KeptFact& fact : test::facts_of(recorder.facts()))
    names.emplace_back(fact.name());
  return names;
}

// Suspends its work, and lets it go on at half its rate later.
struct Pace {
  double rate;
};
struct Paced {
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<Pace>, core::OneOf<test::Worked>>;
  static constexpr std::string_view name = "paced";
  core::WorkId work{};
  void start(Env& env) {
    work = env.work({.duration = 100ms});
    env.after(20ms, Pace{0});
    env.after(60ms, Pace{0.5});
  }
  void on(Env& env, const Pace& due) { env.pace(work, due.rate); }
  void on(Env& env, const core::WorkDone& done) {
    env.note(test::Worked{std::to_string(done.served.count()), done.took});
    env.finish();
  }
};

// Asks for the end of the run in its third turn, and would go on for ever.
struct Turn {};
struct Weary {
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<Turn>, core::OneOf<test::Hit>>;
  static constexpr std::string_view name = "weary";
  std::atomic<bool>* stop;
  std::uint32_t turns = 0;
  explicit Weary(std::atomic<bool>* flag) : stop(flag) {}
  void start(Env& env) { env.after(1ms, Turn{}); }
  void on(Env& env, const Turn&) {
    env.note(test::Hit{++turns, env.self()});
    if (turns == 3) *stop = true;
    env.after(1ms, Turn{});
  }
};

// Records its inputs.
struct Word {
  static constexpr core::InputInfo info{"word", "Somebody outside says a number."};
  std::uint32_t number = 0;
};
struct Told {
  static constexpr core::FactInfo info{"told", "A word has come.", "number | life"};
  std::uint32_t number = 0;
  std::uint32_t life = 0;
};
struct Listener {
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::Nothing, core::OneOf<Told>>;
  using Inputs = core::OneOf<Word>;
  static constexpr std::string_view name = "listener";
  static constexpr std::uint32_t last = 99;
  void start(Env&) {}
  void on(Env& env, const Word& word) {
    env.note(Told{word.number, env.incarnation().value});
    if (word.number == last) env.finish();
  }
};

// Gives the words in their order.
class Script final : public core::InputSource {
 public:
  explicit Script(std::vector<core::Input> inputs) : inputs_(std::move(inputs)) {}
  std::optional<core::Input> next(core::Time /*now*/) override {
    return next_ < inputs_.size() ? std::optional(inputs_[next_++]) : std::nullopt;
  }

 private:
  std::vector<core::Input> inputs_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("virtual time stops after the event in which the end of the run was asked for") {
  const core::LinkChain links;
  std::atomic<bool> stop{false};
  const core::EngineSetup setup = setup_of<Weary>(1, links, &stop);
  const core::EngineReport report = core::VirtualEngine(setup).run({.stop = &stop});
  CHECK(report.ending == core::Ending::interrupted);
  CHECK(names_of(report.recorders[0]).size() == 3);
}

TEST_CASE("work that is paced ends when it has been given its service on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    const auto report = run_on(threads, setup_of<Paced>(1, links));
    const auto worked = test::only<test::Worked>(test::facts_of(report.recorders[0].facts()));
    REQUIRE(worked.size() == 1);
    const core::Duration served(std::stoll(worked[0].result));
    if (!threads) {
      CHECK(worked[0].took == 220ms);
      CHECK(served == 100ms);
    } else {
      CHECK(worked[0].took >= 200ms);
      CHECK(served >= 100ms);
      CHECK(served < worked[0].took);
    }
  }
}

TEST_CASE("inputs come at their time on both engines, and not to peers that are down by then") {
  const core::LinkChain links;
  const auto say = [](core::Duration when, std::uint32_t peer, std::uint32_t number) {
    return core::make_input(core::Time{} + when, core::PeerId{peer}, Word{number});
  };
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    Script script({say(0ms, 0, 1), say(0ms, 1, 2), say(40ms, 0, 3), say(40ms, 1, 4),
                   say(400ms, 1, 5), say(500ms, 0, Listener::last), say(500ms, 1, Listener::last)});
    core::EngineSetup setup = setup_of<Listener>(2, links);
    setup.inputs = &script;
    setup.faults = {{core::Time{20ms}, core::PeerId{1}, core::Fault::Kind::crash},
                    {core::Time{200ms}, core::PeerId{1}, core::Fault::Kind::restart}};
    const auto report = run_on(threads, setup);
    CHECK(report.ending == core::Ending::finished);
    const auto words = [&](std::size_t peer) {
      std::vector<std::uint32_t> numbers;
      for (const Told& told : test::only<Told>(test::facts_of(report.recorders[peer].facts())))
        numbers.push_back(told.number);
      return numbers;
    };
    CHECK(words(0) == std::vector<std::uint32_t>{1, 3, Listener::last});
    CHECK(words(1) == std::vector<std::uint32_t>{2, 5, Listener::last});
    const auto heard = test::facts_of(report.recorders[0].facts());
    CHECK(heard[1].at >= core::Time{40ms});
    if (!threads) CHECK(heard[1].at == core::Time{40ms});
    CHECK(report.events == 6);
  }
}

TEST_CASE("inputs for a peer that joins late wait for its first life on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    Script script({core::make_input(core::Time{20ms}, core::PeerId{1}, Word{7}),
                   core::make_input(core::Time{60ms}, core::PeerId{1}, Word{8}),
                   core::make_input(core::Time{90ms}, core::PeerId{0}, Word{Listener::last}),
                   core::make_input(core::Time{90ms}, core::PeerId{1}, Word{Listener::last})});
    core::EngineSetup setup = setup_of<Listener>(2, links);
    setup.inputs = &script;
    setup.faults = {{core::Time{60ms}, core::PeerId{1}, core::Fault::Kind::join}};
    const auto report = run_on(threads, setup);
    const auto told = test::only<Told>(test::facts_of(report.recorders[1].facts()));
    REQUIRE(told.size() == 3);
    CHECK(told[0].number == 7);
    CHECK(told[0].life == 1);
    CHECK(told[1].number == 8);
  }
}

TEST_CASE("a ping-pong match has the same hits on both engines, in the same order") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    const auto report = run_on(threads, setup_of<test::PingPong>(2, links, 100U));
    CHECK(report.ending == core::Ending::finished);
    for (std::uint32_t peer = 0; peer < 2; ++peer) {
      const auto hits = test::only<test::Hit>(test::facts_of(report.recorders[peer].facts()));
      REQUIRE(hits.size() >= 50);
      for (std::size_t i = 0; i < 50; ++i) CHECK(hits[i].hits == 2 * i + (peer == 1 ? 1 : 2));
    }
    CHECK(sum(report, &core::Recorder::sent_count) ==
          sum(report, &core::Recorder::received_count) +
              sum(report, &core::Recorder::in_flight_count));
  }
}

TEST_CASE("work and timers end in order and not before their time on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    const core::Work work{.duration = 30ms};
    const auto report = run_on(threads, setup_of<test::Routine>(3, links, work));
    CHECK(report.ending == core::Ending::finished);
    CHECK(report.armed == at_rest(report));
    CHECK(report.working == 0);
    for (const core::Recorder& recorder : report.recorders) {
      const auto facts = test::facts_of(recorder.facts());
      REQUIRE(facts.size() == 2);
      CHECK(facts[0].as<test::Worked>().took >= 30ms);
      CHECK(facts[1].as<test::Paused>().at >= core::Time{} + 50ms);
    }
  }
}

TEST_CASE("a real matrix product has the same checksum on both engines") {
  const core::LinkChain links;
  core::Throttle unhindered;
  const std::uint64_t expected = agents::multiply_matrices(48, 5, unhindered);
  CHECK(expected != agents::multiply_matrices(48, 6, unhindered));
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of<test::Routine>(2, links, test::matrix_work(48, 5));
    setup.kinds = agents::work_kinds();
    const auto report = run_on(threads, setup);
    for (const core::Recorder& recorder : report.recorders) {
      const auto worked = test::facts_of(recorder.facts()).at(0).as<test::Worked>();
      CHECK(worked.result == "checksum " + std::to_string(expected));
      CHECK(worked.right);
    }
  }
}

TEST_CASE(
    "a peer at rest starts no grace, and once called has not finished any more on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of<test::Sleeper>(2, links);
    SUBCASE("with time to finish") { setup.grace = 10 * test::Sleeper::a_while; }
    SUBCASE("but once the first has finished, time is short") {
      setup.grace = test::Sleeper::a_while / 2;
    }
    const bool in_time = setup.grace > test::Sleeper::a_while;
    const auto report = run_on(threads, setup);
    CHECK(report.ending == (in_time ? core::Ending::finished : core::Ending::limit));
    CHECK(report.recorders[0].facts().size() == 1);
    CHECK(report.recorders[1].facts().size() == (in_time ? 1 : 0));
    CHECK(report.finished[1] == in_time);
  }
}

TEST_CASE("the link delays packets on both engines") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(core::Duration(5ms));
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    const auto report = run_on(threads, setup_of<test::PingPong>(2, links, 20U));
    CHECK(report.ending == core::Ending::finished);
    CHECK(report.ended >= core::Time{} + 20 * 5ms);
  }
}

TEST_CASE("a crash silences a peer and a restart gives it a new life on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of<test::Routine>(3, links, core::Work{.duration = 400ms});
    setup.faults = {{core::Time{} + 50ms, core::PeerId{1}, core::Fault::Kind::crash},
                    {core::Time{} + 100ms, core::PeerId{2}, core::Fault::Kind::crash},
                    {core::Time{} + 150ms, core::PeerId{2}, core::Fault::Kind::restart}};
    const auto report = run_on(threads, setup);
    CHECK(report.ending == core::Ending::finished);
    CHECK(report.recorders[0].facts().size() == 2);
    CHECK(report.recorders[1].facts().size() == 0);
    CHECK(report.recorders[2].facts().size() == 2);
    CHECK(report.alive == std::vector<bool>{true, false, true});
    CHECK(report.incarnations[2].value == 1);
    CHECK(report.ended >= core::Time{} + 550ms);
  }
}

TEST_CASE("a peer that leaves says goodbye and then is gone on both engines") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(core::Duration(5ms));
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of<test::Party>(3, links, 2U);
    setup.faults = {{core::Time{} + 50ms, core::PeerId{1}, core::Fault::Kind::leave},
                    {core::Time{} + 100ms, core::PeerId{1}, core::Fault::Kind::restart},
                    {core::Time{} + 150ms, core::PeerId{1}, core::Fault::Kind::leave}};
    const auto report = run_on(threads, setup);
    CHECK(report.ending == core::Ending::finished);
    CHECK(names_of(report.recorders[1]) == std::vector<std::string>{"departed", "departed"});
    const auto host = test::facts_of(report.recorders[0].facts());
    REQUIRE(host.size() == 5);
    CHECK(test::only<test::Went>(host).size() == 2);
    CHECK(host.back().name() == "went");
    CHECK(host.back().at >= core::Time{} + 155ms);
    CHECK(report.alive == std::vector<bool>{true, false, true});
    CHECK(report.incarnations[1].value == 1);
    CHECK(report.armed == at_rest(report));
    CHECK(report.working == 0);
  }
}

TEST_CASE("a peer that joins does not exist before on both engines") {
  const core::LinkChain links;
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    core::EngineSetup setup = setup_of<test::Party>(3, links, 1U);
    setup.faults = {{core::Time{} + 60ms, core::PeerId{2}, core::Fault::Kind::join},
                    {core::Time{} + 120ms, core::PeerId{1}, core::Fault::Kind::leave}};
    const auto report = run_on(threads, setup);
    CHECK(report.ending == core::Ending::finished);
    const auto host = test::facts_of(report.recorders[0].facts());
    REQUIRE(host.size() == 3);
    CHECK(host[0].as<test::Came>().guest == core::PeerId{1});
    CHECK(host[1].as<test::Came>().guest == core::PeerId{2});
    CHECK(host[1].at >= core::Time{} + 60ms);
    CHECK(host[2].name() == "went");
    CHECK(report.alive == std::vector<bool>{true, false, true});
    CHECK(report.incarnations[2].value == 1);
  }
}

TEST_CASE("packets to a peer that has not joined are dropped and counted on both engines") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(core::Duration(100ms));
  for (const bool threads : {false, true}) {
    CAPTURE(threads);
    // The first ball is on its way when peer 1 joins: it is addressed to no life.
    core::EngineSetup setup = setup_of<test::PingPong>(2, links, 3U);
    setup.limit = 300ms;
    setup.faults = {{core::Time{} + 50ms, core::PeerId{1}, core::Fault::Kind::join}};
    const auto report = run_on(threads, setup);
    CHECK(report.recorders[1].facts().size() == 0);
    CHECK(report.recorders[1].drop_counts()[static_cast<std::size_t>(core::Drop::stale)] == 1);
  }
}

}  // namespace rhizome::engines_test
