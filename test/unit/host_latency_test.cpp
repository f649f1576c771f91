// Latencies in which hosts are near or far.
#include "core/peer/latency.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rhizome::host_latency_test {

namespace {

using namespace std::chrono_literals;
using core::CoordinateLatency;
using core::Duration;
using core::HostLatency;
using core::PeerId;

constexpr std::uint32_t hosts = 600;

// Statistics over all pairs, and for each host over the others.
struct Survey {
  double mean = 0;            // in seconds
  double sigma = 0;           // of the logarithm
  double sigma_of_host = 0;   // of the logarithms' means by host
  double spread_of_host = 0;  // of the means by host, relative to the mean
};

double deviation(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / n - sum / n * (sum / n));
}

template <class L>
Survey survey(const L& link) {
  Survey found;
  std::vector<double> logarithms;
  std::vector<double> host_logarithms(hosts);
  std::vector<double> host_means(hosts);
  for (std::uint32_t a = 0; a < hosts; ++a)
    for (std::uint32_t b = 0; b < a; ++b) {
      const double delay = core::seconds(link.between(PeerId{a}, PeerId{b}));
      logarithms.push_back(std::log(delay));
      found.mean += delay / (hosts * (hosts - 1.0) / 2);
      for (const std::uint32_t host : {a, b}) {
        host_logarithms[host] += logarithms.back() / (hosts - 1.0);
        host_means[host] += delay / (hosts - 1.0);
      }
    }
  found.sigma = deviation(logarithms);
  found.sigma_of_host = deviation(host_logarithms);
  found.spread_of_host = deviation(host_means) / found.mean;
  return found;
}

template <class L>
void check_symmetric(const L& link, const L& again, const L& other) {
  CHECK(link.between(PeerId{4}, PeerId{4}) == 0ms);
  CHECK(link.between(PeerId{4}, PeerId{9}) > 0ms);
  CHECK(link.between(PeerId{4}, PeerId{9}) == link.between(PeerId{9}, PeerId{4}));
  CHECK(link.between(PeerId{4}, PeerId{9}) == again.between(PeerId{4}, PeerId{9}));
  CHECK(link.between(PeerId{4}, PeerId{9}) != other.between(PeerId{4}, PeerId{9}));
  CHECK(link.between(PeerId{4}, PeerId{9}) != link.between(PeerId{4}, PeerId{8}));
  core::Rng rng(1);
  const core::LinkVerdict verdict = link.judge({}, {.from = PeerId{4}, .to = PeerId{9}}, rng);
  CHECK(verdict.kind == core::LinkVerdict::Kind::deliver);
  CHECK(verdict.after == link.between(PeerId{4}, PeerId{9}));
}

}  // namespace

TEST_CASE("latencies of hosts and of places belong to the pair, both ways, for the whole run") {
  const auto of_hosts = [](std::uint64_t seed) {
    return HostLatency({.hosts = hosts, .mean = 50ms, .seed = seed});
  };
  check_symmetric(of_hosts(9), of_hosts(9), of_hosts(10));
  const auto of_places = [](std::uint64_t seed) {
    return CoordinateLatency({.hosts = hosts, .mean = 50ms, .seed = seed});
  };
  check_symmetric(of_places(9), of_places(9), of_places(10));
}

// Over 20 draws of 600 hosts each the bounds are about three standard errors and more.
TEST_CASE("latencies of hosts have the mean and both spreads that they promise") {
  constexpr int draws = 20;
  Survey average;
  double slower = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const HostLatency link(
        {.hosts = hosts, .mean = 84'500us, .sigma = 0.52, .sigma_host = 0.36, .seed = seed});
    const Survey found = survey(link);
    average.mean += found.mean / draws;
    average.sigma += found.sigma / draws;
    average.sigma_of_host += found.sigma_of_host / draws;
    for (std::uint32_t a = 1; a < hosts; ++a)
      slower += link.between(PeerId{0}, PeerId{a}) > link.longest() ? 1 : 0;
  }
  CHECK(average.mean == doctest::Approx(0.0845).epsilon(0.02));
  CHECK(average.sigma == doctest::Approx(0.52).epsilon(0.02));
  CHECK(average.sigma_of_host == doctest::Approx(0.36).epsilon(0.03));
  CHECK(slower / (draws * (hosts - 1.0)) < 0.01);
}

TEST_CASE("a host that is far from some is far from all, and not so without a part of its own") {
  const HostLatency with({.hosts = hosts, .mean = 50ms, .sigma = 0.52, .sigma_host = 0.36});
  const HostLatency without({.hosts = hosts, .mean = 50ms, .sigma = 0.52, .sigma_host = 0});
  const auto towards = [](const HostLatency& link, std::uint32_t from, std::uint32_t half) {
    double sum = 0;
    for (std::uint32_t to = half; to < hosts; to += 2)
      sum += core::seconds(link.between(PeerId{from}, PeerId{to}));
    return sum;
  };
  int both = 0;
  int by_chance = 0;
  // The quarter that is farthest from the even hosts: is it farther than most from the odd ones?
  for (const HostLatency* link : {&with, &without}) {
    std::vector<std::pair<double, double>> sums;
    for (std::uint32_t host = 0; host < hosts; ++host)
      sums.emplace_back(towards(*link, host, 0), towards(*link, host, 1));
    std::sort(sums.begin(), sums.end(), std::greater<>());
    std::vector<double> odd;
    for (const auto& sum : sums) odd.push_back(sum.second);
    std::nth_element(odd.begin(), odd.begin() + hosts / 2, odd.end());
    for (std::uint32_t i = 0; i < hosts / 4; ++i)
      (link == &with ? both : by_chance) += sums[i].second > odd[hosts / 2] ? 1 : 0;
  }
  CHECK(both == hosts / 4);
  CHECK(by_chance < hosts / 4 * 2 / 3);
}

TEST_CASE("places and heights have the mean that they promise, in every number of dimensions") {
  for (std::uint32_t dimensions = 1; dimensions <= CoordinateLatency::most_dimensions; ++dimensions)
    for (const double share : {0.0, 0.5, 1.0}) {
      CAPTURE(dimensions);
      CAPTURE(share);
      double mean = 0;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const CoordinateLatency link({.hosts = hosts,
                                      .mean = 50ms,
                                      .dimensions = dimensions,
                                      .height_share = share,
                                      .seed = seed});
        for (std::uint32_t a = 0; a < hosts; ++a)
          for (std::uint32_t b = a + 1; b <= a + 20; ++b)
            mean += core::seconds(link.between(PeerId{a}, PeerId{b})) / (10.0 * hosts * 20);
      }
      CHECK(mean == doctest::Approx(0.050).epsilon(0.04));
    }
}

TEST_CASE("no pair is slower than the longest latency of places, and triangles hold") {
  const CoordinateLatency link({.hosts = hosts, .mean = 50ms, .seed = 3});
  Duration slowest{0};
  for (std::uint32_t a = 0; a < hosts; ++a)
    for (std::uint32_t b = 0; b < a; ++b)
      slowest = std::max(slowest, link.between(PeerId{a}, PeerId{b}));
  CHECK(slowest <= link.longest());
  CHECK(slowest > link.longest() / 2);
  for (std::uint32_t a = 0; a + 2 < hosts; ++a)
    CHECK(link.between(PeerId{a}, PeerId{a + 2}) <= link.between(PeerId{a}, PeerId{a + 1}) +
                                                        link.between(PeerId{a + 1}, PeerId{a + 2}) +
                                                        2ns);
}

TEST_CASE("heights make hosts near or far, which places alone do less") {
  const CoordinateLatency flat(
      {.hosts = hosts, .mean = 50ms, .dimensions = 3, .height_share = 0, .seed = 2});
  const CoordinateLatency high(
      {.hosts = hosts, .mean = 50ms, .dimensions = 3, .height_share = 0.6, .seed = 2});
  CHECK(survey(flat).spread_of_host < 0.16);
  CHECK(survey(high).spread_of_host > 0.25);
}

TEST_CASE("hosts repeat beyond their number") {
  const CoordinateLatency link({.hosts = 10, .mean = 50ms, .seed = 2});
  CHECK(link.between(PeerId{3}, PeerId{17}) == link.between(PeerId{3}, PeerId{7}));
}

}  // namespace rhizome::host_latency_test
