#include "core/peer/peer.hpp"

#include <doctest/doctest.h>

#include "core/peer/histogram.hpp"
#include "core/peer/link.hpp"
#include "core/peer/recorder.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/protocols.hpp"

namespace rhizome::peer_test {

using namespace std::chrono_literals;
using core::Drop;
using core::LinkVerdict;
using core::PeerId;
using test::Ball;
using test::LonePeer;
using test::PingPong;

namespace {

struct Rumour {
  std::uint32_t passed = 0;
};

// Raises a signal for every ball, and a further one for every signal, up to three.
class Gossip {
 public:
  using Messages = core::OneOf<Ball>;
  using Env = core::Env<Messages>;
  using Hears = core::OneOf<Rumour>;
  static constexpr std::string_view name = "gossip";
  void start(Env&) {}
  void on(Env& env, PeerId, const Ball&) { env.raise(Rumour{}); }
  void on(Env& env, const Rumour& rumour) {
    heard.push_back(rumour.passed);
    if (rumour.passed < 2) env.raise(Rumour{rumour.passed + 1});
    env.send(PeerId{9}, Ball{rumour.passed});
  }
  std::vector<std::uint32_t> heard;
};

// Believes small numbers only, and only from peer 1.
class Sceptic {
 public:
  using Messages = core::OneOf<Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "sceptic";
  [[nodiscard]] static bool believes(PeerId from, const Ball& ball) {
    return from == PeerId{1} && ball.hits < 10;
  }
  void start(Env&) {}
  void on(Env& env, PeerId from, const Ball& ball) { env.send(from, ball); }
};

}  // namespace

TEST_CASE("a message that a protocol does not believe is refused and never handled") {
  LonePeer<Sceptic> lone(PeerId{0});
  lone.deliver(PeerId{1}, Ball{9});
  CHECK_FALSE(lone.refused().has_value());
  CHECK(lone.sent_count() == 1);
  lone.deliver(PeerId{1}, Ball{10});
  CHECK(lone.refused() == Drop::implausible);
  lone.forget();
  lone.deliver(PeerId{2}, Ball{9});
  CHECK(lone.refused() == Drop::implausible);
  CHECK(lone.sent_count() == 0);
}

TEST_CASE("a signal is heard by every service that wants it, within the event that raised it") {
  LonePeer<Gossip> lone(PeerId{1}, [](core::Peer& peer) {
    peer.add<Gossip>();
    peer.add<PingPong>(5U);  // hears nothing
  });
  lone.start();
  lone.deliver(PeerId{0}, Ball{1});
  CHECK(lone.protocol().heard == std::vector{0U, 1U, 2U});
  const auto balls = lone.sent<Ball>();
  REQUIRE(balls.size() == 3);
  CHECK(balls[2].second.hits == 2);
}

TEST_CASE("a delivered message becomes the effects of its handler") {
  LonePeer<PingPong> lone(PeerId{1}, 5U);
  lone.start();
  CHECK(lone.sent_count() == 0);
  lone.deliver(PeerId{0}, Ball{1});
  const auto balls = lone.sent<Ball>();
  REQUIRE(balls.size() == 1);
  CHECK(balls[0].first == PeerId{0});
  CHECK(balls[0].second.hits == 2);
  CHECK(lone.facts().size() == 1);
  CHECK_FALSE(lone.finished());
}

TEST_CASE("a message that a peer cannot decode is refused and has no other effect") {
  LonePeer<PingPong> lone(PeerId{1}, 5U);
  const core::Bytes text{std::byte{0xa1}, std::byte{'x'}};
  lone.deliver_bytes(PeerId{0}, 0, text);
  CHECK(lone.refused() == Drop::mismatched);
  lone.deliver_bytes(PeerId{0}, 9, text);
  CHECK(lone.refused() == Drop::unknown);
  core::Effects out;
  lone.peer().deliver({}, {{.service = 3}, text}, out);
  REQUIRE(out.list.size() == 1);
  CHECK(std::get<core::Refuse>(out.list[0]).why == Drop::unknown);
  CHECK(lone.sent_count() == 0);
  CHECK(lone.facts().empty());
}

TEST_CASE("a cancelled timer does not fire and a fired one is spent") {
  core::TimerTable<int> timers;
  CHECK_FALSE(timers.take(core::TimerId{}));
  const core::TimerId first = timers.arm(0, 7);
  const core::TimerId second = timers.arm(0, 8);
  CHECK(timers.armed() == 2);
  CHECK(timers.take(first) == 7);
  CHECK_FALSE(timers.take(first));
  const core::TimerId third = timers.arm(0, 9);
  CHECK(third.slot == first.slot);
  CHECK_FALSE(timers.take(first));
  CHECK(timers.take(third) == 9);
  CHECK(timers.take(second) == 8);
  CHECK(timers.armed() == 0);
}

TEST_CASE("cancelling a default timer id spares the first timer that was armed") {
  core::TimerTable<int> timers;
  const core::TimerId first = timers.arm(0, 7);
  CHECK_FALSE(timers.take(core::TimerId{}));
  CHECK(timers.take(first) == 7);
}

namespace {

// A link with the same verdict on every packet.
class Says final : public core::Link {
 public:
  explicit Says(LinkVerdict verdict) : verdict_(verdict) {}
  [[nodiscard]] LinkVerdict judge(core::Time, const core::PacketHeader&,
                                  core::Rng&) const override {
    return verdict_;
  }

 private:
  LinkVerdict verdict_;
};

const core::PacketHeader header{.from = PeerId{0}, .to = PeerId{1}};

}  // namespace

TEST_CASE("the first link of a chain that does not pass decides") {
  core::Rng rng(1);
  core::LinkChain chain;
  CHECK(chain.judge({}, header, rng).after[0] == 0ns);
  chain.add<Says>(LinkVerdict::pass())
      .add<Says>(LinkVerdict::deliver(3ms))
      .add<Says>(LinkVerdict::drop(Drop::lost));
  const auto fate = chain.judge({}, header, rng);
  CHECK(fate.arriving == 1);
  CHECK(fate.after[0] == 3ms);
}

TEST_CASE("a duplicated packet is judged twice by the rest of the chain and never thrice") {
  core::Rng rng(1);
  core::LinkChain chain;
  chain.add<Says>(LinkVerdict::duplicate())
      .add<Says>(LinkVerdict::duplicate())
      .add<Says>(LinkVerdict::deliver(2ms));
  const auto fate = chain.judge({}, header, rng);
  CHECK(fate.copies == 2);
  CHECK(fate.arriving == 2);
  CHECK(fate.after[1] == 2ms);
}

TEST_CASE("a peer's packets to itself meet no link") {
  core::Rng rng(1);
  core::LinkChain chain;
  chain.add<Says>(LinkVerdict::drop(Drop::lost));
  CHECK(chain.judge({}, header, rng).arriving == 0);
  CHECK(chain.judge({}, {.from = PeerId{1}, .to = PeerId{1}}, rng).arriving == 1);
}

TEST_CASE("burdens are counted by type and cause, with headers") {
  core::Recorder recorder({.period = 100ms});
  core::PacketHeader job{.message_class = core::MessageClass::job, .units = 3};
  recorder.sent(core::Time{} + 250ms, job, 60);
  recorder.sent(core::Time{} + 250ms, job, 40);
  job.cause = core::Cause::recovery;
  recorder.received({}, job, 10);
  const auto rows = recorder.burdens().rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].sent == core::Burden{2, 100, 6});
  CHECK(rows[1].received == core::Burden{1, 10, 3});
  REQUIRE(recorder.samples().all().size() == 3);
  CHECK(recorder.samples().all()[2].messages[1] == 2);
}

TEST_CASE("a histogram's quantiles are within a sixteenth of the value") {
  core::Histogram histogram;
  for (std::int64_t value = 1; value <= 100'000; ++value) histogram.add(value);
  for (const double share : {0.01, 0.5, 0.9, 0.99})
    CHECK(static_cast<double>(histogram.quantile(share)) ==
          doctest::Approx(share * 100'000).epsilon(1.0 / 16));
  CHECK(histogram.quantile(1.0) == 100'000);
  CHECK(histogram.max() == 100'000);
  CHECK(histogram.mean() == doctest::Approx(50'000.5));
  CHECK(core::Histogram().quantile(0.5) == 0);
}

TEST_CASE("a histogram takes any value") {
  core::Histogram histogram;
  histogram.add(-5);
  histogram.add(0);
  histogram.add(std::numeric_limits<std::int64_t>::max());
  CHECK(histogram.count() == 3);
  CHECK(histogram.quantile(0.5) == 0);
}

}  // namespace rhizome::peer_test
