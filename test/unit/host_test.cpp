#include "core/engine/host.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "test/support/protocols.hpp"

namespace rhizome::core::host_test {

using namespace std::chrono_literals;

namespace {

using Kind = HostEvent::Kind;

// Writes down what a host wants of its engine.
class Notes final : public Backend {
 public:
  void arm(PeerId, Time due, const HostEvent& event) override { armed.emplace_back(due, event); }
  void hold(PeerId, const HostEvent& event, const Matter& matter) override {
    armed.emplace_back(matter.packet->header.due, event);
  }
  void put(const PacketHeader& header, std::span<const std::byte>) override {
    sent.push_back(header);
  }
  bool begin(PeerId, Incarnation, WorkId id, const Work&) override {
    begun.push_back(id);
    return really;
  }
  void abandon(PeerId, Incarnation, WorkId id) override { abandoned.push_back(id); }

  bool really = true;

  std::vector<std::pair<Time, HostEvent>> armed;
  std::vector<PacketHeader> sent;
  std::vector<WorkId> begun;
  std::vector<WorkId> abandoned;
};

EngineSetup for_two() {
  EngineSetup setup;
  setup.peers = 2;
  return setup;
}

// Has five tasks from the start, and two once it has been woken up.
class Hoarder {
 public:
  using Messages = Nothing;
  using Env = core::Env<Messages, OneOf<test::WakeUp>>;
  static constexpr std::string_view name = "hoarder";
  void start(Env& env) {
    env.waiting(5);
    env.after(1s, test::WakeUp{});
    env.after(2s, test::WakeUp{});
  }
  void on(Env& env, const test::WakeUp&) {
    if (env.now() == Time{1s}) env.waiting(2);
  }
};

// One host of two, with the parts that an engine keeps beside it.
template <class P>
struct Stand {
  template <class... A>
  explicit Stand(A... arguments) {
    setup.links = &links;
    setup.make_peer = [=](PeerId id, Incarnation life) {
      auto peer = std::make_unique<Peer>(id, life, 1);
      peer->add<P>(arguments...);
      return peer;
    };
    host.prepare();
    befall(Kind::start);
  }
  bool befall(Kind kind) { return host.handle({}, {kind}); }
  bool deliver(const PacketHeader& header) {
    const Packet packet{header, {}};
    return host.handle({}, {Kind::packet}, {.packet = &packet});
  }
  bool end(Time now, WorkId work) {
    const Result result;
    return host.handle(now, HostEvent::result_of({}, work), {.result = &result});
  }
  [[nodiscard]] EngineReport report() {
    EngineReport made;
    host.conclude({}, made);
    return made;
  }

  LinkChain links;
  EngineSetup setup = for_two();
  Commons commons{setup};
  Notes notes;
  Effects effects;
  Host host{PeerId{0}, commons, notes, effects};
};

}  // namespace

TEST_CASE("work that its peer stopped is abandoned, and so is all work when a life ends") {
  Stand<test::Routine> stand(Work{.duration = 1s});
  REQUIRE(stand.notes.begun.size() == 2);
  const WorkId wanted = stand.notes.begun[0];
  const WorkId stopped = stand.notes.begun[1];
  CHECK(stand.notes.abandoned == std::vector<WorkId>{stopped});
  SUBCASE("by a crash") { stand.befall(Kind::crash); }
  SUBCASE("in good order") { CHECK(stand.befall(Kind::leave)); }
  CHECK(stand.notes.abandoned == std::vector<WorkId>{stopped, wanted});
  CHECK_FALSE(stand.end(Time{1s}, wanted));
  CHECK(stand.report().working == 0);
}

TEST_CASE("an event for another life is not handled, but counted") {
  Stand<test::Mail> stand(test::Mail::Options{.parcels = 1, .to = PeerId{0}});
  REQUIRE(stand.notes.sent.size() == 1);
  const PacketHeader header = stand.notes.sent[0];
  stand.befall(Kind::crash);
  CHECK_FALSE(stand.deliver(header));
  REQUIRE(stand.befall(Kind::restart));
  CHECK_FALSE(stand.befall(Kind::restart));
  CHECK(stand.commons.directory.life(PeerId{0}) == Incarnation{1});
  CHECK_FALSE(stand.commons.directory.life(PeerId{2}).has_value());
  stand.befall(Kind::start);
  CHECK_FALSE(stand.deliver(header));
  CHECK(stand.deliver(stand.notes.sent[1]));
  const Recorder& recorder = stand.host.recorder();
  CHECK(recorder.drop_counts()[static_cast<std::size_t>(Drop::down)] == 1);
  CHECK(recorder.drop_counts()[static_cast<std::size_t>(Drop::stale)] == 1);
}

TEST_CASE("the board shows which peers live, in which life, and what runs there") {
  Stand<test::Routine> stand(Work{.duration = 1s});
  stand.commons.board.show(PeerId{0}, stand.host.recorder());
  CHECK_FALSE(stand.commons.board.shows(PeerId{1}));
  const Vitals& vitals = stand.commons.board.vitals(PeerId{0});
  CHECK(vitals.presence() == Vitals::Presence{.life = {0}, .alive = true});
  CHECK(vitals.running.get() == 1);  // of two, one was stopped
  SUBCASE("when its work ends") {
    CHECK(stand.end(Time{1s}, stand.notes.begun[0]));
    CHECK(vitals.running.get() == 0);
    CHECK(vitals.events.get() == 1);
  }
  SUBCASE("when it crashes, and comes back") {
    stand.befall(Kind::crash);
    CHECK(vitals.presence() == Vitals::Presence{.life = {0}, .alive = false});
    CHECK(vitals.running.get() == 0);
    REQUIRE(stand.befall(Kind::restart));
    CHECK(vitals.presence() == Vitals::Presence{.life = {1}, .alive = true});
  }
}

TEST_CASE("the last number of waiting tasks holds until the life ends") {
  Stand<Hoarder> stand;
  const Count32& waiting = stand.host.vitals().waiting;
  CHECK(waiting.get() == 5);
  CHECK(stand.host.handle(Time{1s}, stand.notes.armed.at(0).second));
  CHECK(waiting.get() == 2);
  CHECK(stand.host.handle(Time{2s}, stand.notes.armed.at(1).second));
  CHECK(waiting.get() == 2);
  SUBCASE("by a crash") { stand.befall(Kind::crash); }
  SUBCASE("in good order") { CHECK(stand.befall(Kind::leave)); }
  CHECK(waiting.get() == 0);
}

TEST_CASE("the timers of a life end with it, and so does its place among the living") {
  Stand<test::Sleeper> stand;
  REQUIRE(stand.notes.armed.size() == 1);
  const HostEvent former = stand.notes.armed[0].second;
  stand.befall(Kind::crash);
  stand.commons.census.finished();  // the other one
  CHECK(stand.commons.census.all_finished());
  REQUIRE(stand.befall(Kind::restart));
  CHECK_FALSE(stand.commons.census.all_finished());
  stand.befall(Kind::start);
  REQUIRE(stand.notes.armed.size() == 2);
  CHECK_FALSE(stand.host.handle(Time{1s}, former));
  CHECK(stand.host.handle(Time{1s}, stand.notes.armed[1].second));
}

TEST_CASE("a run has ended once a peer has finished and all living peers have") {
  Census census(2);
  CHECK_FALSE(census.all_finished());
  census.finished();
  CHECK_FALSE(census.all_finished());
  census.died(false);
  CHECK(census.all_finished());
  census.revived();
  CHECK_FALSE(census.all_finished());
  census.finished();
  census.resumed();
  CHECK_FALSE(census.all_finished());
  census.died(true);
  CHECK_FALSE(census.all_finished());
  CHECK_FALSE(census.first_finish().has_value());
  census.hurry(Time{3s});
  census.hurry(Time{2s});
  CHECK(census.first_finish() == Time{3s});
}

TEST_CASE("the memory of an event with thousands of effects is given back") {
  const auto left_of = [](std::size_t wanted) {
    Effects effects;
    effects.list.resize(wanted, Cancel{});
    effects.arena.resize(100 * wanted);
    effects.clear();
    effects.slim();
    return effects.list.capacity() + effects.arena.capacity();
  };
  CHECK(left_of(10'000) == 0);
  CHECK(left_of(10) == 10 + 1000);
}

}  // namespace rhizome::core::host_test
