#include "core/peer/impairment.hpp"

#include <doctest/doctest.h>

#include "core/peer/latency.hpp"

namespace rhizome::impairment_test {

using namespace std::chrono_literals;
using core::Drop;
using core::LinkVerdict;
using core::PacketHeader;
using core::PeerId;
using core::Rng;
using core::Time;

namespace {

PacketHeader packet(std::uint32_t from, std::uint32_t to) {
  return {.from = PeerId{from}, .to = PeerId{to}};
}

}  // namespace

TEST_CASE("loss drops its share of packets and says that they are lost") {
  const core::Loss link(0.2);
  Rng rng(1);
  int lost = 0;
  for (int i = 0; i < 50'000; ++i) {
    const LinkVerdict verdict = link.judge({}, packet(0, 1), rng);
    if (verdict.kind == LinkVerdict::Kind::pass) continue;
    REQUIRE(verdict.kind == LinkVerdict::Kind::drop);
    REQUIRE(verdict.why == Drop::lost);
    ++lost;
  }
  CHECK(lost / 50'000.0 == doctest::Approx(0.2).epsilon(0.03));
}

TEST_CASE("loss of probability one drops all, of zero nothing") {
  Rng rng(1);
  for (int i = 0; i < 1'000; ++i) {
    REQUIRE(core::Loss(1).judge({}, packet(0, 1), rng).kind == LinkVerdict::Kind::drop);
    REQUIRE(core::Loss(0).judge({}, packet(0, 1), rng).kind == LinkVerdict::Kind::pass);
  }
}

TEST_CASE("a duplicated packet arrives twice, each copy after a time of its own") {
  core::LinkChain chain;
  chain.add<core::Duplication>(0.5).add<core::UniformLatency>(
      core::UniformLatency::Options{.least = 1ms, .most = 900ms});
  Rng rng(1);
  int twice = 0;
  for (int i = 0; i < 20'000; ++i) {
    const core::Transmission result = chain.judge({}, packet(0, 1), rng);
    REQUIRE(result.arriving == result.copies);
    if (result.copies != 2) continue;
    ++twice;
    REQUIRE(result.after[0] != result.after[1]);
  }
  CHECK(twice / 20'000.0 == doctest::Approx(0.5).epsilon(0.03));
}

TEST_CASE("a partition drops packets that cross it while it lasts, and no others") {
  const core::Partition link({{.from = Time(2s), .until = Time(5s), .side = {false, true, true}}});
  Rng rng(1);
  const auto kind = [&](core::Duration at, std::uint32_t from, std::uint32_t to) {
    return link.judge(Time(at), packet(from, to), rng).kind;
  };
  CHECK(kind(1999ms, 0, 1) == LinkVerdict::Kind::pass);
  CHECK(kind(2s, 0, 1) == LinkVerdict::Kind::drop);
  CHECK(kind(2s, 1, 0) == LinkVerdict::Kind::drop);
  CHECK(kind(4s, 1, 2) == LinkVerdict::Kind::pass);
  CHECK(kind(4s, 0, 9) == LinkVerdict::Kind::pass);
  CHECK(kind(4s, 9, 2) == LinkVerdict::Kind::drop);
  CHECK(kind(5s, 0, 1) == LinkVerdict::Kind::pass);
  CHECK(link.judge(Time(3s), packet(0, 1), rng).why == Drop::partitioned);
}

TEST_CASE("two partitions may overlap") {
  const core::Partition link({{.from = Time(0s), .until = Time(3s), .side = {true}},
                              {.from = Time(2s), .until = Time(4s), .side = {false, true}}});
  Rng rng(1);
  const auto dropped = [&](core::Duration at, std::uint32_t from, std::uint32_t to) {
    return link.judge(Time(at), packet(from, to), rng).kind == LinkVerdict::Kind::drop;
  };
  CHECK(dropped(1s, 0, 2));
  CHECK_FALSE(dropped(1s, 1, 2));
  CHECK(dropped(2500ms, 1, 2));
  CHECK(dropped(2500ms, 0, 2));
  CHECK_FALSE(dropped(3500ms, 0, 2));
}

}  // namespace rhizome::impairment_test
