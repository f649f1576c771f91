#include <doctest/doctest.h>

#include <array>
#include <map>
#include <set>

#include "core/peer/rng.hpp"
#include "overlay/hash_ring.hpp"
#include "overlay/next_hop.hpp"
#include "overlay/ranking.hpp"

namespace rhizome::overlay_test {

using core::PeerId;
using namespace overlay;

namespace {

Descriptor of_utility(std::uint32_t peer, double utility) {
  return {.peer = PeerId{peer}, .age = 0, .taken = {}, .advert = {.utility = utility}};
}

}  // namespace

TEST_CASE("rankings are strict weak orders") {
  core::Rng rng(3);
  for (const Ranking& ranking :
       {Ranking::gradient(Uphill::above), Ranking::gradient(Uphill::at_least), Ranking::ring(8)})
    for (int trial = 0; trial < 5000; ++trial) {
      std::array<Descriptor, 4> d;
      for (Descriptor& one : d) {
        one =
            of_utility(static_cast<std::uint32_t>(rng.below(8)), static_cast<double>(rng.below(4)));
        one.taken = core::Time{} + core::Duration(rng.below(2));
      }
      const auto prefers = [&](int a, int b) { return ranking.prefers(d[0], d[a], d[b]); };
      CHECK_FALSE(prefers(1, 1));
      if (prefers(1, 2)) CHECK_FALSE(prefers(2, 1));
      if (prefers(1, 2) && prefers(2, 3)) CHECK(prefers(1, 3));
      const auto alike = [&](int a, int b) { return !prefers(a, b) && !prefers(b, a); };
      if (alike(1, 2) && alike(2, 3)) CHECK(alike(1, 3));
    }
}

TEST_CASE("the gradient prefers peers above, then the nearest, then the newest") {
  for (const Uphill uphill : {Uphill::above, Uphill::at_least}) {
    const Ranking ranking = Ranking::gradient(uphill);
    const Descriptor base = of_utility(0, 5);
    CHECK(ranking.prefers(base, of_utility(1, 9), of_utility(2, 4)));
    CHECK(ranking.prefers(base, of_utility(1, 6), of_utility(2, 9)));
    CHECK(ranking.prefers(base, of_utility(1, 4), of_utility(2, 3)));
    Descriptor newer = of_utility(9, 6);
    newer.taken += std::chrono::seconds(1);
    CHECK(ranking.prefers(base, newer, of_utility(1, 6)));
  }
}

TEST_CASE("peers without room prefer peers with room to their equals, unless equals are uphill") {
  const Descriptor full = of_utility(0, 0);
  const auto prefers_room = [&](Uphill uphill) {
    return Ranking::gradient(uphill).prefers(full, of_utility(1, 4), of_utility(2, 0));
  };
  CHECK(prefers_room(Uphill::above));
  CHECK_FALSE(prefers_room(Uphill::at_least));
  CHECK(Ranking::gradient(Uphill::above).prefers(full, of_utility(1, 0), of_utility(2, -1)));
}

TEST_CASE("a ring prefers near peers, either way round") {
  CHECK(Ranking::ring(10).prefers(of_utility(0, 5), of_utility(9, 0), of_utility(2, 0)));
  CHECK(Ranking::ring(10).prefers(of_utility(9, 5), of_utility(0, 0), of_utility(7, 0)));
}

TEST_CASE("softmax follows its temperature, and never takes an excluded peer") {
  const std::vector<Descriptor> view{of_utility(1, 8), of_utility(2, 7), of_utility(3, -900)};
  core::Rng rng(1);
  const auto counts = [&](double temperature, auto excluded) {
    std::map<std::uint32_t, int> drawn;
    for (int i = 0; i < 10'000; ++i)
      ++drawn[next_hop(view, temperature, rng, excluded)->peer.value];
    return drawn;
  };
  const auto none = [](PeerId) { return false; };
  CHECK(counts(0, none)[1] == 10'000);
  const auto greedy = counts(1, none);
  CHECK(greedy.at(1) == doctest::Approx(7311).epsilon(0.03));  // 1 / (1 + 1/e)
  CHECK_FALSE(greedy.contains(3));
  const auto walk = counts(1e6, none);
  CHECK(walk.at(3) == doctest::Approx(3333).epsilon(0.06));
  CHECK(counts(1, [](PeerId p) { return p == PeerId{1}; })[2] == 10'000);
  CHECK(next_hop(view, 1.0, rng, [](PeerId) { return true; }) == nullptr);
}

TEST_CASE("softmax bears utilities whose exponentials no number holds") {
  core::Rng rng(1);
  const auto first = [&](double low, double high) {
    const std::vector<Descriptor> view{of_utility(1, low), of_utility(2, high)};
    int drawn = 0;
    for (int i = 0; i < 1000; ++i)
      drawn += next_hop(view, 1, rng, [](PeerId) { return false; })->peer == PeerId{1} ? 1 : 0;
    return drawn;
  };
  CHECK(first(5000, 5001) == doctest::Approx(269).epsilon(0.2));
  CHECK(first(-5001, -5000) == doctest::Approx(269).epsilon(0.2));
  CHECK(first(-1e300, 1e300) == 0);
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
  CHECK(ring.owner(1, [](PeerId) { return false; }) == core::no_peer);
}

TEST_CASE("a key belongs to the next point of the ring, which goes around") {
  const HashRing ring(5, 3);
  const auto owner_of = [](std::uint64_t key) {
    const std::uint64_t position = core::derive_seed({key}, "ring key");
    std::pair<std::uint64_t, std::uint32_t> nearest{~std::uint64_t{0}, 0};
    for (std::uint32_t peer = 0; peer < 5; ++peer)
      for (std::uint32_t node = 0; node < 3; ++node)
        nearest =
            std::min(nearest, {core::derive_seed({peer, node}, "ring peer") - position, peer});
    return PeerId{nearest.second};
  };
  for (std::uint64_t key = 0; key < 2000; ++key) CHECK(ring.owner(key) == owner_of(key));
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

}  // namespace rhizome::overlay_test
