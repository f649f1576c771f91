#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/peer/rng.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/faults/lifetimes.hpp"
#include "scenarios/world/faults/outages.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::faults_test {

namespace {

using namespace std::chrono_literals;
using core::Fault;
using core::PeerId;
using core::Time;
using scenarios::distribution;
using scenarios::LifetimesSection;
using scenarios::Outage;
using scenarios::Spread;

constexpr int draws = 200'000;

std::vector<double> sample(const Spread& spread) {
  core::Rng rng(42);
  std::vector<double> seconds;
  for (int i = 0; i < draws; ++i) seconds.push_back(core::seconds(spread.draw(rng)));
  return seconds;
}

// Four standard errors: a right sampler fails once in 16,000 seeds, and this seed is fixed.
void check_mean(const Spread& spread, double deviation) {
  double sum = 0;
  for (const double seconds : sample(spread)) sum += seconds;
  CHECK(std::abs(sum / draws - 30) < 4 * deviation / std::sqrt(draws));
}

double share_above(const std::vector<double>& sample, double threshold) {
  int count = 0;
  for (const double seconds : sample) count += seconds > threshold ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(sample.size());
}

std::vector<Fault> lives(const LifetimesSection& section, std::vector<PeerId> peers) {
  scenarios::Outages outages;
  CHECK(scenarios::add_lifetimes(outages, section, peers, Time(600s), 7));
  return outages.faults();
}

std::vector<Fault> of_peer(const std::vector<Fault>& faults, std::uint32_t peer) {
  std::vector<Fault> mine;
  for (const Fault& fault : faults)
    if (fault.peer == PeerId{peer}) mine.push_back(fault);
  return mine;
}

std::string file_refusal(const std::string& text) {
  const test::TemporaryFile file(text);
  try {
    static_cast<void>(scenarios::read_lifetime_file(file.name(), 10, Fault::Kind::crash));
  } catch (const scenarios::InputError& error) {
    return std::string(error.what()).substr(file.name().size());
  }
  return "accepted";
}

}  // namespace

TEST_CASE("drawn lifetimes have the mean that was asked for") {
  check_mean({.law = &distribution("exponential"), .mean = 30s}, 30);
  check_mean({.law = &distribution("pareto"), .mean = 30s, .shape = 4}, 30 * std::sqrt(2.0));
  check_mean({.law = &distribution("weibull"), .mean = 30s, .shape = 2}, 30 * 0.523);
  check_mean({.law = &distribution("weibull"), .mean = 30s, .shape = 0.5}, 30 * std::sqrt(5.0));
  check_mean({.mean = 30s}, 1e-9);
}

TEST_CASE("drawn lifetimes have the tail of their distribution") {
  const auto near = [](double share, double expected) {
    CHECK(std::abs(share - expected) < 4 * std::sqrt(expected * (1 - expected) / draws));
  };
  near(share_above(sample({.law = &distribution("exponential"), .mean = 30s}), 60), std::exp(-2.0));
  // The scale is 60 s: mean times (shape - 1).
  near(share_above(sample({.law = &distribution("pareto"), .mean = 30s}), 60), 1.0 / 8);
  // The scale is 15 s: the mean by the gamma of 3.
  near(share_above(sample({.law = &distribution("weibull"), .mean = 30s}), 60), std::exp(-2.0));
}

TEST_CASE("the same draws with another mean give the same history, stretched") {
  core::Rng once(3);
  core::Rng again(3);
  const Spread brief{.law = &distribution("weibull"), .mean = 10s};
  const Spread longer{.law = &distribution("weibull"), .mean = 20s};
  for (int i = 0; i < 100; ++i) {
    const double expected = 2 * core::seconds(brief.draw(once));
    CHECK(core::seconds(longer.draw(again)) == doctest::Approx(expected));
  }
}

TEST_CASE("a peer is away while any source says so") {
  scenarios::Outages outages;
  outages.add(PeerId{1}, {Time(5s), Time(7s)});
  outages.add(PeerId{1}, {Time(1s), Time(3s), Fault::Kind::leave});
  outages.add(PeerId{1}, {Time(2s), Time(4s)});
  outages.add(PeerId{1}, {Time(4s), Time(4500ms)});
  outages.add(PeerId{0}, {scenarios::before_the_start, Time(2s)});
  outages.add(PeerId{0}, {Time(5s)});
  CHECK(outages.faults() == std::vector<Fault>{{Time(1s), PeerId{1}, Fault::Kind::leave},
                                               {Time(2s), PeerId{0}, Fault::Kind::join},
                                               {Time(4500ms), PeerId{1}, Fault::Kind::restart},
                                               {Time(5s), PeerId{0}, Fault::Kind::crash},
                                               {Time(5s), PeerId{1}, Fault::Kind::crash},
                                               {Time(7s), PeerId{1}, Fault::Kind::restart}});
}

TEST_CASE("lifetimes alternate, and depend neither on other peers' nor on the outages") {
  LifetimesSection section{.distribution = scenarios::LifetimeKind{1},
                           .mean = 30s,
                           .downtime = scenarios::DowntimeKind{1},
                           .downtime_mean = 5s};
  const auto both = lives(section, {PeerId{3}, PeerId{4}});
  const auto mine = of_peer(both, 4);
  CHECK(mine == lives(section, {PeerId{4}}));
  CHECK(mine != of_peer(both, 3));
  REQUIRE(mine.size() > 10);
  for (std::size_t i = 0; i < mine.size(); ++i)
    CHECK(mine[i].kind == (i % 2 == 0 ? Fault::Kind::crash : Fault::Kind::restart));
  CHECK(mine[1].at - mine[0].at == 5s);

  section.downtime = scenarios::DowntimeKind{2};
  section.ends_by = scenarios::LifetimeEnd::leave;
  const auto other = lives(section, {PeerId{4}});
  CHECK(other[0].kind == Fault::Kind::leave);
  CHECK(other[0].at == mine[0].at);
  CHECK(other[2].at - other[1].at == mine[2].at - mine[1].at);
  section.downtime = scenarios::DowntimeKind{};
  CHECK(lives(section, {PeerId{4}}).size() == 1);
}

TEST_CASE("lives are drawn no further than five million of all peers") {
  const LifetimesSection section{.distribution = scenarios::LifetimeKind{1},
                                 .mean = 1ms,
                                 .downtime = scenarios::DowntimeKind{1},
                                 .downtime_mean = 1us};
  scenarios::Outages outages;
  const std::vector<PeerId> peers(10, PeerId{3});
  CHECK_FALSE(scenarios::add_lifetimes(outages, section, peers, Time(600s), 7));
}

TEST_CASE("a file of lifetimes says when each peer joins, is gone and comes back") {
  const test::TemporaryFile file("peer,up_at,down_at\n2,1.5,4\n0,0,3\n\n2,6,\n");
  const auto known = scenarios::read_lifetime_file(file.name(), 10, Fault::Kind::leave);
  CHECK(known.size() == 2);
  CHECK(known.at(PeerId{0}) ==
        std::vector<Outage>{{Time(3s), scenarios::for_good, Fault::Kind::leave}});
  CHECK(known.at(PeerId{2}) == std::vector<Outage>{{scenarios::before_the_start, Time(1500ms)},
                                                   {Time(4s), Time(6s), Fault::Kind::leave}});
}

TEST_CASE("lives that touch are one, in any order of the rows, and times may be since 1970") {
  const auto read = [](const std::string& rows) {
    const test::TemporaryFile file("peer,up_at,down_at\n" + rows);
    return scenarios::read_lifetime_file(file.name(), 10, Fault::Kind::crash);
  };
  const auto expected = read("0,0,4\n0,5,6\n1,2,\n");
  CHECK(read("0,5,6\n1,2,\n0,1,4\n0,0,1\n") == expected);
  CHECK(read("0,1700000000,1700000004\n0,1700000005,1700000006\n1,1700000002,\n") == expected);
  CHECK(expected.at(PeerId{0}).size() == 2);
}

TEST_CASE("of a file of lifetimes so many are kept at most") {
  std::string text = "peer,up_at,down_at\n";
  for (int i = 0; i < 5'000'001; ++i) text += "0,0,\n";
  CHECK(file_refusal(text) == ":5000002:1: there are more than 5000000 lives in this file");
}

TEST_CASE("errors in a file of lifetimes are reported with their line") {
  const std::string header = "peer,up_at,down_at\n";
  CHECK(file_refusal("id,up,down\n") == ":1:1: the first line must be \"peer,up_at,down_at\"");
  CHECK(file_refusal(header) == ":2:1: there are no lives in this file");
  CHECK(file_refusal(header + "10,0,1\n") == ":2:1: there is no peer 10: they count from 0 to 9");
  CHECK(file_refusal(header + "1,0,1\n1,2\n") == ":3:3: a life has 3 fields, but this line has 2");
  CHECK(file_refusal(header + "1,soon,1\n") == ":2:3: up_at must be a number, not \"soon\"");
  CHECK(file_refusal(header + "1,2,1\n") == ":2:5: down_at must be after up_at");
  CHECK(file_refusal(header + "1,0,5\n1,4,9\n") ==
        ":3:3: up_at must not be before the end of the peer's other life, line 2");
  CHECK(file_refusal(header + "1,0,\n1,4,9\n") ==
        ":3:3: up_at must not be before the end of the peer's other life, line 2");
}

}  // namespace rhizome::faults_test
