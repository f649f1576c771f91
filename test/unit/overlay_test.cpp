#include <doctest/doctest.h>

#include <array>
#include <map>
#include <set>

#include "core/peer/rng.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/hash_ring.hpp"
#include "overlay/next_hop.hpp"
#include "overlay/ranking.hpp"
#include "test/support/lone_peer.hpp"

namespace rhizome {

using core::PeerId;
using namespace overlay;

namespace {

Descriptor of_utility(std::uint32_t peer, double utility) {
  return {.peer = PeerId{peer}, .age = 0, .taken = {}, .advert = {.free_cpus = utility}};
}

test::LonePeer<Cyclon> cyclon(CyclonOptions options, std::vector<std::uint32_t> seeds) {
  std::vector<PeerId> ids;
  for (const std::uint32_t seed : seeds) ids.push_back(PeerId{seed});
  test::LonePeer<Cyclon> peer(PeerId{0}, [&](core::Peer& bare) { bare.add<Cyclon>(options, ids); });
  peer.start();
  return peer;
}

std::set<std::uint32_t> links_of(const test::LonePeer<Cyclon>& peer) {
  std::set<std::uint32_t> links;
  for (const Descriptor& link : peer.protocol().view()) links.insert(link.peer.value);
  return links;
}

}  // namespace

TEST_CASE("a shuffle gives the oldest link away with a fresh one to oneself") {
  auto peer = cyclon({.view = 3, .shuffle = 2}, {1, 2, 3});
  REQUIRE(peer.fire_next());
  REQUIRE(peer.sent<Shuffle>().size() == 1);
  const auto [to, message] = peer.sent<Shuffle>().front();
  CHECK_FALSE(links_of(peer).contains(to.value));
  REQUIRE(message.sample.size() == 2);
  CHECK(message.sample.back().peer == PeerId{0});
  CHECK(message.sample.back().age == 0);
}

TEST_CASE("whoever was answered by nobody is alone, unless it asks its seeds") {
  for (const bool asks : {false, true}) {
    auto peer = cyclon({.view = 3, .shuffle = 1, .asks_seeds = asks}, {1, 2, 3});
    for (int shuffle = 0; shuffle < 20; ++shuffle) REQUIRE(peer.fire_next());
    CHECK(links_of(peer).empty());
    const std::size_t sent = peer.sent_count();
    CHECK((sent > 3) == asks);
  }
}

TEST_CASE("with a period of zero nobody shuffles, and the seeds stay") {
  auto peer = cyclon({.view = 3, .period = core::Duration::zero()}, {1, 2, 3});
  CHECK_FALSE(peer.fire_next());
  CHECK(links_of(peer) == std::set<std::uint32_t>{1, 2, 3});
}

TEST_CASE("an answer fills the empty slot, then those of links that were sent away") {
  auto peer = cyclon({.view = 3, .shuffle = 3}, {1, 2, 3});
  REQUIRE(peer.fire_next());
  const PeerId partner = peer.sent<Shuffle>().front().first;
  peer.deliver(partner, ShuffleReply{{of_utility(7, 0), of_utility(8, 0), of_utility(9, 0)}});
  CHECK(links_of(peer) == std::set<std::uint32_t>{7, 8, 9});
}

TEST_CASE("a view holds neither oneself nor a peer twice, and strangers' answers replace nothing") {
  auto peer = cyclon({.view = 3, .shuffle = 2}, {1, 2, 3});
  peer.deliver(PeerId{5}, ShuffleReply{{of_utility(0, 0), of_utility(1, 0), of_utility(9, 0)}});
  CHECK(links_of(peer) == std::set<std::uint32_t>{1, 2, 3});
}

TEST_CASE("a younger descriptor replaces an older one where that is asked for") {
  for (const Duplicates duplicates : {Duplicates::discard, Duplicates::keep_younger}) {
    auto peer = cyclon({.view = 3, .shuffle = 2, .duplicates = duplicates}, {1, 2, 3});
    Descriptor news = of_utility(1, 5);
    news.taken = core::Time{} + std::chrono::seconds(1);
    peer.deliver(PeerId{2}, Shuffle{{news}});
    const double known = peer.protocol().view().front().advert.free_cpus;
    CHECK(known == (duplicates == Duplicates::keep_younger ? 5 : 0));
  }
}

TEST_CASE("rankings are strict weak orders") {
  core::Rng rng(3);
  for (const Ranking& ranking : {Ranking::gradient(), Ranking::ring(8)})
    for (int trial = 0; trial < 2000; ++trial) {
      std::array<Descriptor, 4> d;
      for (Descriptor& one : d)
        one =
            of_utility(static_cast<std::uint32_t>(rng.below(8)), static_cast<double>(rng.below(4)));
      const auto prefers = [&](int a, int b) { return ranking.prefers(d[0], d[a], d[b]); };
      CHECK_FALSE(prefers(1, 1));
      if (prefers(1, 2)) CHECK_FALSE(prefers(2, 1));
      if (prefers(1, 2) && prefers(2, 3)) CHECK(prefers(1, 3));
      const auto alike = [&](int a, int b) { return !prefers(a, b) && !prefers(b, a); };
      if (alike(1, 2) && alike(2, 3)) CHECK(alike(1, 3));
    }
}

TEST_CASE("the gradient prefers those above, the ring those near") {
  const Descriptor base = of_utility(0, 5);
  CHECK(Ranking::gradient().prefers(base, of_utility(1, 9), of_utility(2, 4)));
  CHECK(Ranking::gradient().prefers(base, of_utility(1, 6), of_utility(2, 9)));
  CHECK(Ranking::ring(10).prefers(base, of_utility(9, 0), of_utility(2, 0)));
}

TEST_CASE("softmax follows its temperature, and never takes who is excluded") {
  const std::vector<Descriptor> view{of_utility(1, 8), of_utility(2, 7), of_utility(3, -900)};
  core::Rng rng(1);
  const auto counts = [&](double temperature, auto excluded) {
    std::map<std::uint32_t, int> drawn;
    for (int i = 0; i < 10'000; ++i)
      ++drawn[next_hop(view, temperature, rng, excluded)->peer.value];
    return drawn;
  };
  const auto nobody = [](PeerId) { return false; };
  CHECK(counts(0, nobody)[1] == 10'000);
  const auto greedy = counts(1, nobody);
  CHECK(greedy.at(1) == doctest::Approx(7311).epsilon(0.03));  // 1 / (1 + 1/e)
  CHECK_FALSE(greedy.contains(3));
  const auto walk = counts(1e6, nobody);
  CHECK(walk.at(3) == doctest::Approx(3333).epsilon(0.06));
  CHECK(counts(1, [](PeerId p) { return p == PeerId{1}; })[2] == 10'000);
  CHECK(next_hop(view, 1.0, rng, [](PeerId) { return true; }) == nullptr);
}

TEST_CASE("at temperature zero ties are broken by chance") {
  const std::vector<Descriptor> view{of_utility(1, 3), of_utility(2, 3)};
  core::Rng rng(1);
  int first = 0;
  for (int i = 0; i < 1000; ++i)
    first += next_hop(view, 0, rng, [](PeerId) { return false; })->peer == PeerId{1} ? 1 : 0;
  CHECK(first == doctest::Approx(500).epsilon(0.15));
}

TEST_CASE("a ring gives the keys of a dead peer to others and moves no other key") {
  const HashRing ring(50);
  const PeerId dead{7};
  const auto lives = [&](PeerId peer) { return peer != dead; };
  std::size_t moved = 0;
  for (std::uint64_t key = 0; key < 5000; ++key) {
    const PeerId before = ring.owner(key);
    const PeerId after = ring.owner(key, lives);
    CHECK(after != dead);
    if (before != dead) CHECK(before == after);
    moved += before == dead ? 1 : 0;
  }
  CHECK(moved > 0);
  CHECK(ring.owner(1, [](PeerId) { return false; }) == core::nobody);
}

TEST_CASE("virtual nodes even the arcs of a ring out") {
  const auto spread = [](const HashRing& ring) {
    std::map<PeerId, int> keys;
    for (std::uint64_t key = 0; key < 20'000; ++key) ++keys[ring.owner(key)];
    int most = 0;
    for (const auto& [peer, count] : keys) most = std::max(most, count);
    return most;
  };
  CHECK(spread(HashRing(20, 1)) > 2000);
  CHECK(spread(HashRing(20, 100)) < 1400);
}

}  // namespace rhizome
