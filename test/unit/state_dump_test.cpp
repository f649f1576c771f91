#include "core/peer/state_dump.hpp"

#include <map>

#include <doctest/doctest.h>

#include "agents/client.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/failure_detector.hpp"
#include "test/support/lone_peer.hpp"

namespace rhizome::state_dump_test {

using namespace std::chrono_literals;
using core::PeerId;
using core::StateDump;
using core::Times;
using test::LonePeer;

namespace {

struct Point {
  std::uint32_t across = 1;
  std::int32_t up = -2;
};
struct Nap {};

// Shows how often it was called, and says nothing of a timer that it holds.
class Sleeper {
 public:
  struct Wake {
    std::uint32_t times = 0;
  };
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<Wake, Nap>>;
  static constexpr std::string_view name = "sleeper";
  void start(Env& env) {
    env.after(2s, Wake{7});
    nap_ = env.after(1s, Nap{});
  }
  void on(Env& env, const Wake&) { env.cancel(nap_); }
  void on(Env&, const Nap&) { ++naps_; }
  void dump_state(StateDump& dump) const {
    dump.tell("naps", naps_);
    dump.tell("nap", nap_);
  }

 private:
  std::uint32_t naps_ = 0;
  core::TimerId nap_{};
};

// Shows nothing.
class Hermit {
 public:
  using Messages = core::Nothing;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "hermit";
};

std::string state_dump_of(const core::Peer& peer, Times times = Times::told) {
  StateDump dump(times);
  static_cast<void>(peer.dump_state(dump));
  return dump.text();
}

}  // namespace

TEST_CASE("a state dump tells values of every kind") {
  CHECK(StateDump::text_of(true) == "yes");
  CHECK(StateDump::text_of(std::uint8_t{7}) == "7");
  CHECK(StateDump::text_of(-7) == "-7");
  CHECK(StateDump::text_of(.5) == "0.5");
  CHECK(StateDump::text_of(std::string("as it is")) == "as it is");
  CHECK(StateDump::text_of(PeerId{3}) == "3");
  CHECK(StateDump::text_of(core::no_peer) == "nobody");
  CHECK(StateDump::text_of(core::Duration{1500ms}) == "1.5 s");
  CHECK(StateDump::text_of(std::optional<int>()) == "none");
  CHECK(StateDump::text_of(std::optional(4)) == "4");
  CHECK(StateDump::text_of(Point{}) == "{1, -2}");
  CHECK(StateDump::text_of(std::vector{Point{}, Point{3, 4}}) == "[{1, -2}, {3, 4}]");
  CHECK(StateDump::text_of(std::map<int, bool>{{2, true}, {1, false}}) == "[1: no, 2: yes]");
  CHECK(StateDump::text_of(std::variant<int, Point>(Point{})) == "Point{1, -2}");
}

TEST_CASE("times may be left out of a state dump, and ids of timers always are") {
  CHECK(StateDump::text_of(core::Time{2s}) == "2 s");
  CHECK(StateDump::text_of(core::Time{2s}, Times::left_out).empty());
  CHECK(StateDump::text_of(core::TimerId{}) == "none");
  CHECK(StateDump::text_of(core::TimerId{1, 2, 3}) == StateDump::text_of(core::TimerId{4, 5, 6}));
}

TEST_CASE("the name of a type stands without its namespaces") {
  CHECK(core::type_name<Nap>() == "Nap");
  CHECK(core::type_name<Sleeper::Wake>() == "Wake");
  CHECK(core::type_name<overlay::ShuffleDue>() == "ShuffleDue");
}

TEST_CASE("the fields of a packet are told in their order") {
  core::Bytes bytes;
  core::encode(overlay::PingRequest{PeerId{1}, PeerId{2}}, bytes);
  CHECK(core::text_of(bytes) == "[1, 2]");
  bytes.clear();
  core::encode(agents::JobAnnounced{.job = {}, .at = PeerId{4}}, bytes);
  CHECK(core::text_of(bytes) == "[[0, 0, [], [], []], 4]");
  CHECK(core::text_of(std::span(bytes).first(2)).empty());
}

TEST_CASE("a peer shows the state of its services and the timers that are armed") {
  LonePeer<Sleeper> lone(PeerId{0});
  lone.start();
  CHECK(state_dump_of(lone.peer()) ==
        "sleeper.naps = 0\nsleeper.nap = some\nsleeper.armed = [Nap{}, Wake{7}]\n");
  REQUIRE(lone.fire_next());
  CHECK(state_dump_of(lone.peer()) ==
        "sleeper.naps = 1\nsleeper.nap = some\nsleeper.armed = [Wake{7}]\n");
}

TEST_CASE("a peer says whether all of its services show their state") {
  StateDump dump;
  LonePeer<Sleeper> open(PeerId{0});
  CHECK(open.peer().dump_state(dump));
  LonePeer<Sleeper> half(PeerId{0}, [](core::Peer& peer) {
    peer.add<Sleeper>();
    peer.add<Hermit>();
  });
  CHECK_FALSE(half.peer().dump_state(dump));
}

TEST_CASE("a random stream that has been drawn from is told from one that has not") {
  const std::vector<PeerId> seeds{PeerId{1}, PeerId{2}};
  LonePeer<overlay::Cyclon> lone(PeerId{0}, overlay::CyclonOptions{}, overlay::Neighbours(seeds));
  const std::uint64_t before = lone.peer().chance();
  CHECK(lone.peer().chance() == before);
  lone.start();
  CHECK(lone.peer().chance() != before);
}

TEST_CASE("overlays show the peers that they know") {
  LonePeer<overlay::FailureDetector> lone(PeerId{0}, overlay::DetectorOptions{.peers = 3});
  lone.start();
  lone.deliver(PeerId{2}, overlay::Ping{PeerId{2}});
  const std::string text = state_dump_of(lone.peer(), Times::left_out);
  CHECK(text.find("failure-detector.pinged_by = [2]\n") != std::string::npos);
  CHECK(text.find("failure-detector.armed = [RoundDue{}") != std::string::npos);
}

}  // namespace rhizome::state_dump_test
