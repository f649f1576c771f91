#include "core/peer/latency.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace rhizome::latency_test {

using namespace std::chrono_literals;
using core::Duration;
using core::LinkVerdict;
using core::PeerId;
using core::Rng;

namespace {

LinkVerdict judged(const core::Link& link, std::uint32_t from, std::uint32_t to, Rng& rng) {
  return link.judge({}, {.from = PeerId{from}, .to = PeerId{to}}, rng);
}

}  // namespace

TEST_CASE("a constant latency delivers every packet after the same time") {
  const core::ConstantLatency link(3ms);
  Rng rng(1);
  CHECK(judged(link, 0, 1, rng).kind == LinkVerdict::Kind::deliver);
  CHECK(judged(link, 0, 1, rng).after == 3ms);
  CHECK(judged(link, 7, 2, rng).after == 3ms);
  CHECK(link.longest() == 3ms);
}

TEST_CASE("a uniform latency is drawn anew for every packet, within its bounds") {
  const core::UniformLatency link({.least = 2ms, .most = 6ms});
  Rng rng(1);
  double sum = 0;
  Duration least = 1h;
  Duration most{0};
  constexpr int packets = 20'000;
  for (int i = 0; i < packets; ++i) {
    const Duration after = judged(link, 0, 1, rng).after;
    sum += core::seconds(after);
    least = std::min(least, after);
    most = std::max(most, after);
  }
  CHECK(least >= 2ms);
  CHECK(least < 2010us);
  CHECK(most <= link.longest());
  CHECK(most > 5990us);
  CHECK(sum / packets == doctest::Approx(0.004).epsilon(0.01));
}

TEST_CASE("jitter is drawn anew for every packet, on top of any latency") {
  const core::Jitter alone({}, 4ms);
  const core::Jitter jitter(std::make_unique<core::ConstantLatency>(10ms), 4ms);
  Rng rng(1);
  std::vector<Duration> delays;
  for (int i = 0; i < 20'000; ++i) {
    CHECK(judged(alone, 0, 1, rng).after <= 4ms);
    CHECK(judged(jitter, 0, 1, rng).kind == LinkVerdict::Kind::deliver);
    delays.push_back(judged(jitter, 0, 1, rng).after);
  }
  const auto [least, most] = std::ranges::minmax(delays);
  CHECK(least >= 10ms);
  CHECK(least < 10010us);
  CHECK(most <= 14ms);
  CHECK(most > 13990us);
}

TEST_CASE("a lognormal latency belongs to the pair, both ways, for the whole run") {
  const core::HostLatency link({.mean = 50ms, .sigma = 0.5, .sigma_host = 0, .seed = 9});
  const core::HostLatency again({.mean = 50ms, .sigma = 0.5, .sigma_host = 0, .seed = 9});
  const core::HostLatency other({.mean = 50ms, .sigma = 0.5, .sigma_host = 0, .seed = 10});
  Rng rng(1);
  const Rng untouched = rng;
  const Duration there = judged(link, 3, 8, rng).after;
  CHECK(judged(link, 8, 3, rng).after == there);
  CHECK(judged(link, 3, 8, rng).after == there);
  CHECK(judged(again, 3, 8, rng).after == there);
  CHECK(judged(other, 3, 8, rng).after != there);
  CHECK(judged(link, 3, 9, rng).after != there);
  CHECK(Rng(rng).bits() == Rng(untouched).bits());
  CHECK(link.between(PeerId{4}, PeerId{4}) == 0ms);
}

TEST_CASE("lognormal latencies have the mean and the quantile they promise") {
  const core::HostLatency link({.mean = 50ms, .sigma = 0.5, .sigma_host = 0, .seed = 4});
  double sum = 0;
  int slower = 0;
  int pairs = 0;
  for (std::uint32_t a = 0; a < 400; ++a) {
    for (std::uint32_t b = 0; b < a; ++b, ++pairs) {
      const Duration delay = link.between(PeerId{a}, PeerId{b});
      sum += core::seconds(delay);
      slower += delay > link.longest() ? 1 : 0;
    }
  }
  CHECK(sum / pairs == doctest::Approx(0.050).epsilon(0.01));
  CHECK(slower > pairs / 2000);
  CHECK(slower < pairs / 500);
}

TEST_CASE("a matrix gives the latencies of rows and columns, and repeats beyond its size") {
  const core::MatrixLatency link({{0ms, 1ms, 2ms}, {3ms, 0ms, 4ms}, {5ms, 6ms, 0ms}});
  Rng rng(1);
  CHECK(judged(link, 0, 2, rng).after == 2ms);
  CHECK(judged(link, 2, 0, rng).after == 5ms);
  CHECK(judged(link, 4, 5, rng).after == 4ms);
  CHECK(judged(link, 1, 4, rng).after == 0ms);
  CHECK(link.longest() == 6ms);
}

TEST_CASE("peers of one machine have no latency, and all pairs of machines the same") {
  const core::MachineLatency link({0, 0, 1, 2}, 5ms);
  Rng rng(1);
  CHECK(judged(link, 0, 1, rng).after == 0ms);
  CHECK(judged(link, 1, 2, rng).after == 5ms);
  CHECK(judged(link, 3, 0, rng).after == 5ms);
  CHECK(link.longest() == 5ms);
}

}  // namespace rhizome::latency_test
