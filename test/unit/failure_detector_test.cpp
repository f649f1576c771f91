#include "overlay/failure_detector.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "test/support/lone_peer.hpp"

namespace rhizome::failure_detector_test {

using core::PeerId;
using namespace overlay;

namespace {

constexpr PeerId me{0};
constexpr PeerId other{1};
constexpr PeerId third{2};

// Watches two peers and records the news of them.
class Listener {
 public:
  using Messages = core::OneOf<Ping>;
  using Env = core::Env<Messages>;
  using Hears = core::OneOf<Liveness>;
  static constexpr std::string_view name = "listener";
  explicit Listener(FailureDetector& detector) : detector_(detector) {}
  void start(Env&) {
    detector_.watch(other);
    detector_.watch(third);
  }
  void watch(PeerId peer, std::uint32_t life) const { detector_.watch(peer, life); }
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
  [[nodiscard]] std::ptrdiff_t dead_told() {
    return std::count_if(heard().begin(), heard().end(),
                         [](const Liveness& l) { return l.kind == Liveness::Kind::dead; });
  }
  [[nodiscard]] const std::vector<Liveness>& heard() { return peer.peer().find<Listener>()->heard; }
};

}  // namespace

TEST_CASE("peers that answer are not suspected") {
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

TEST_CASE(
    "a peer heard lately is asked to help before a suspicion, and the answer it gets counts") {
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
  CHECK(watch.peer.sent<Ping>().back().second.origin == third);
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

TEST_CASE("a later life than the one that a peer has told is news, even as its first answer") {
  const auto told = [](std::optional<std::uint32_t> before, std::uint32_t life,
                       std::uint32_t answer) {
    Watch watch;
    watch.round();
    if (before) watch.answer(other, *before);
    watch.peer.peer().find<Listener>()->watch(other, life);
    CHECK(watch.peer.protocol().is_past(other, life) == (before.value_or(life) > life));
    watch.answer(other, answer);
    return !watch.heard().empty() && watch.heard().back().restarted;
  };
  CHECK_FALSE(told({}, 1, 1));
  CHECK(told({}, 1, 2));
  CHECK(told(0, 1, 1));  // others still hear the news
  CHECK_FALSE(told(2, 1, 2));
}

TEST_CASE("a peer is watched until it was unwatched as often as watched") {
  for (const int times : {1, 2}) {
    test::LonePeer<FailureDetector> peer(me, [&](core::Peer& bare) {
      auto& added = bare.add<FailureDetector>(DetectorOptions{});
      added.watch(other);
      added.watch(other);
      for (int i = 0; i < times; ++i) added.unwatch(other);
    });
    peer.start();
    REQUIRE(peer.fire_next());
    CHECK(peer.sent<Ping>().size() == (times == 1 ? 1 : 0));
  }
}

TEST_CASE("peers silent for as many rounds in a row as set are dead") {
  for (const std::uint32_t rounds : {1U, 2U, 5U}) {
    Watch watch({.rounds_until_dead = rounds});
    watch.round();
    for (std::uint32_t silent = 0; silent < rounds; ++silent) {
      CHECK_FALSE(watch.peer.protocol().thinks_dead(other));
      CHECK(watch.dead_told() == 0);
      watch.answer(third);
      watch.round();
    }
    CHECK(watch.peer.protocol().thinks_dead(other));
    CHECK(watch.dead_told() == 1);
    CHECK_FALSE(watch.peer.protocol().thinks_dead(third));
  }
}

TEST_CASE("an answer withdraws a suspicion, and silence is counted anew") {
  Watch watch;
  watch.round();
  watch.answer(third);
  watch.round();
  watch.answer(third);
  watch.round();
  REQUIRE(watch.heard().size() == 1);  // suspected; a third round of silence would be death
  watch.answer(other);
  REQUIRE(watch.heard().size() == 2);
  CHECK(watch.heard().back().kind == Liveness::Kind::alive);
  CHECK_FALSE(watch.heard().back().restarted);
  for (int round = 0; round < 3; ++round) {
    watch.answer(third);
    watch.round();
  }
  CHECK_FALSE(watch.peer.protocol().thinks_dead(other));
}

TEST_CASE(
    "each mistake about a peer gives it a silent round more, three at most, until it restarts") {
  Watch watch;
  watch.round();
  const auto rounds_until_told = [&] {
    const auto told = watch.dead_told();
    for (int rounds = 1;; ++rounds) {
      REQUIRE(rounds < 20);
      watch.answer(third);
      watch.round();
      if (watch.dead_told() > told) return rounds;
    }
  };
  for (const int rounds : {3, 4, 5, 6, 6}) {
    CHECK(rounds_until_told() == rounds);
    watch.answer(other);
    CHECK_FALSE(watch.peer.protocol().thinks_dead(other));
    watch.round();
  }
  watch.answer(other, 1);
  watch.round();
  CHECK(rounds_until_told() == 3);
}

TEST_CASE("a peer that leaves after a false suspicion is told of as dead once") {
  Watch watch;
  watch.round();
  for (int round = 0; round < 3; ++round) watch.round();
  watch.answer(other);
  REQUIRE(watch.dead_told() == 2);  // the other and the third
  watch.peer.deliver(other, Farewell{0});
  for (int round = 0; round < 10; ++round) watch.round();
  CHECK(watch.dead_told() == 3);
}

TEST_CASE("without helpers no peer is asked to help") {
  Watch watch({.helpers = 0});
  for (int round = 0; round < 4; ++round) {
    watch.round();
    watch.answer(third);
  }
  CHECK(watch.peer.sent<PingRequest>().empty());
}

TEST_CASE("no more helpers are asked than the options say") {
  test::LonePeer<FailureDetector> peer(me, [&](core::Peer& bare) {
    auto& detector = bare.add<FailureDetector>(DetectorOptions{.helpers = 2});
    for (std::uint32_t i = 1; i <= 6; ++i) detector.watch(PeerId{i});
  });
  peer.start();
  REQUIRE(peer.fire_next());
  for (std::uint32_t i = 2; i <= 6; ++i) peer.deliver(PeerId{i}, Pong{me, PeerId{i}, 0});
  REQUIRE(peer.fire_next());
  CHECK(peer.sent<PingRequest>().size() == 2);
}

TEST_CASE("a word from an earlier life is no sign of life") {
  Watch watch;
  watch.round();
  watch.answer(other, 4);
  watch.answer(third);
  watch.round();
  watch.answer(other, 3);
  watch.answer(third);
  watch.round();
  REQUIRE(watch.heard().size() == 1);
  CHECK(watch.heard().back().kind == Liveness::Kind::suspected);
}

TEST_CASE("no peer makes a living one look dead by telling of a life that it has not begun") {
  Watch watch;
  for (int round = 0; round < 5; ++round) {
    watch.round();
    watch.peer.deliver(third, Pong{me, other, 1'000'000});
    watch.answer(other);
    watch.answer(third);
  }
  CHECK(watch.heard().empty());
  watch.answer(other, 1);
  REQUIRE(watch.heard().size() == 1);
  CHECK(watch.heard().back().restarted);
}

TEST_CASE("questions about peers that do not exist are not passed on") {
  Watch watch({.peers = 3});
  const PeerId unreal{3};
  watch.peer.deliver(third, PingRequest{third, unreal});
  watch.peer.deliver(third, PingRequest{unreal, other});
  watch.peer.deliver(third, Pong{unreal, third, 0});
  watch.peer.deliver(third, Ping{unreal});
  watch.peer.depart();
  CHECK(watch.peer.sent_count() == 0);
}

TEST_CASE("a peer that leaves in good order tells peers that ping it, and counts as dead at once") {
  Watch watch;
  watch.peer.deliver(other, Ping{other});
  watch.peer.deliver(third, Ping{other});  // on behalf of the same
  watch.peer.depart();
  CHECK(watch.count<Farewell>(other) == 1);
  CHECK(watch.count<Farewell>(third) == 0);

  Watch left;
  left.round();
  left.answer(other, 2);
  left.peer.deliver(other, Farewell{1});  // of an earlier life
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

}  // namespace rhizome::failure_detector_test
