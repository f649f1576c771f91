#include "overlay/failure_detector.hpp"

#include <doctest/doctest.h>

#include "test/support/lone_peer.hpp"

namespace rhizome {

using core::PeerId;
using namespace overlay;

namespace {

constexpr PeerId me{0};
constexpr PeerId other{1};
constexpr PeerId third{2};

// Watches two peers and keeps what it hears of them.
class Listener {
 public:
  using Messages = core::OneOf<Ping>;
  using Env = core::Env<Listener>;
  using Hears = core::OneOf<Liveness>;
  static constexpr std::string_view name = "listener";
  explicit Listener(FailureDetector& detector) : detector_(detector) {}
  void start(Env&) {
    detector_.watch(other);
    detector_.watch(third);
  }
  void on(Env&, PeerId, const Ping&) {}
  void on(Env&, const Liveness& news) { heard.push_back(news); }
  std::vector<Liveness> heard;

 private:
  FailureDetector& detector_;
};

struct Watch {
  test::LonePeer<FailureDetector> peer;
  explicit Watch(DetectorOptions options = {})
      : peer(me,
             [&](core::Peer& bare) { bare.add<Listener>(bare.add<FailureDetector>(options)); }) {
    peer.start();
  }
  // Fires timers until the next round has begun.
  void round() {
    const std::size_t pings = count<Ping>(other);
    while (count<Ping>(other) == pings) REQUIRE(peer.fire_next());
  }
  template <class M>
  [[nodiscard]] std::size_t count(PeerId to) const {
    std::size_t found = 0;
    for (const auto& [receiver, message] : peer.sent<M>()) found += receiver == to ? 1 : 0;
    return found;
  }
  void answer(PeerId from, std::uint32_t incarnation = 0) {
    peer.deliver(from, Pong{me, from, incarnation});
  }
  [[nodiscard]] const std::vector<Liveness>& heard() { return peer.peer().find<Listener>()->heard; }
};

}  // namespace

TEST_CASE("those who answer are not suspected") {
  Watch watch;
  for (int round = 0; round < 10; ++round) {
    watch.round();
    watch.answer(other);
    watch.answer(third);
  }
  CHECK(watch.heard().empty());
}

TEST_CASE("silence is suspected after a round, and dead after three; life after death is told") {
  Watch watch;
  watch.round();
  watch.answer(third);
  watch.round();
  REQUIRE(watch.heard().size() == 1);
  CHECK(watch.heard().back().kind == Liveness::Kind::suspected);
  watch.answer(third);
  watch.round();
  watch.answer(third);
  watch.round();
  REQUIRE(watch.heard().size() == 2);
  CHECK(watch.heard().back().kind == Liveness::Kind::dead);
  CHECK(watch.peer.protocol().thinks_dead(other));
  watch.answer(other);
  REQUIRE(watch.heard().size() == 3);
  CHECK(watch.heard().back().kind == Liveness::Kind::alive);
  CHECK_FALSE(watch.peer.protocol().thinks_dead(other));
}

TEST_CASE("whoever was heard is asked to help before a suspicion, and its answer counts") {
  Watch watch;
  watch.round();
  watch.answer(third);
  while (watch.count<PingRequest>(third) == 0) REQUIRE(watch.peer.fire_next());
  watch.peer.deliver(third, Pong{me, other, 0});
  watch.round();
  CHECK(watch.heard().empty());
}

TEST_CASE("a helper pings for another and passes the answer on") {
  Watch watch;
  watch.peer.deliver(third, PingRequest{third, other});
  REQUIRE(watch.count<Ping>(other) == 1);
  watch.peer.deliver(other, Pong{third, other, 4});
  REQUIRE(watch.count<Pong>(third) == 1);
  CHECK(watch.peer.sent<Pong>().front().second.incarnation == 4);
}

TEST_CASE("a new incarnation is told, though no round was missed") {
  Watch watch;
  watch.round();
  watch.answer(other, 0);
  watch.answer(third);
  watch.round();
  watch.answer(other, 1);
  REQUIRE(watch.heard().size() == 1);
  CHECK(watch.heard().back().restarted);
}

TEST_CASE("watching is counted") {
  DetectorOptions options;
  FailureDetector detector(options);
  test::LonePeer<FailureDetector> peer(me, [&](core::Peer& bare) {
    auto& added = bare.add<FailureDetector>(options);
    added.watch(other);
    added.watch(other);
    added.unwatch(other);
  });
  peer.start();
  REQUIRE(peer.fire_next());
  CHECK(peer.sent<Ping>().size() == 1);
}

TEST_CASE("who leaves in good order says so to those who ping, and counts as dead at once") {
  Watch watch;
  watch.peer.deliver(other, Ping{other});
  watch.peer.deliver(third, Ping{other});  // on behalf of the same
  watch.peer.depart();
  CHECK(watch.count<Farewell>(other) == 1);
  CHECK(watch.count<Farewell>(third) == 0);

  Watch left;
  left.round();
  left.answer(other, 2);
  left.peer.deliver(other, Farewell{1});  // of a life before
  CHECK(left.heard().empty());
  left.peer.deliver(other, Farewell{2});
  left.peer.deliver(other, Farewell{2});
  REQUIRE(left.heard().size() == 1);
  CHECK(left.heard().back().kind == Liveness::Kind::dead);
  CHECK(left.peer.protocol().thinks_dead(other));
  left.answer(other, 3);
  REQUIRE(left.heard().size() == 2);
  CHECK(left.heard().back().restarted);
}

}  // namespace rhizome
