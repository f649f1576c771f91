// T-Man, step by step: partners, requests, answers, and how the dead leave.
#include "overlay/t_man.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <set>

#include "test/support/lone_peer.hpp"

namespace rhizome::t_man_test {

using core::PeerId;
using namespace overlay;
using namespace std::chrono_literals;

namespace {

constexpr PeerId me{0};
using Addresses = std::vector<std::uint32_t>;

// Knows what its random links are, and hears of others in answers.
struct Lone {
  std::vector<PeerId> seeds;
  test::LonePeer<TMan> peer;

  Lone(TManOptions options, Ranking ranking, const Addresses& random = {})
      : seeds(ids(random)), peer(me, [&](core::Peer& bare) {
          const auto& cyclon =
              bare.add<Cyclon>(CyclonOptions{.view = 100, .period = 0ms}, Neighbours(seeds));
          bare.add<TMan>(options, ranking, cyclon);
        }) {
    peer.start();
  }
  static std::vector<PeerId> ids(const Addresses& addresses) {
    std::vector<PeerId> made;
    for (const std::uint32_t address : addresses) made.push_back(PeerId{address});
    return made;
  }
  // A peer whose utility is its address, as it is now.
  [[nodiscard]] Descriptor link_to(std::uint32_t address) const {
    Descriptor made{.peer = PeerId{address}, .age = 0, .taken = peer.now()};
    made.advert.utility = address;
    return made;
  }
  void hear_of(const Addresses& addresses, PeerId from = PeerId{99}) {
    std::vector<Descriptor> told;
    for (const std::uint32_t address : addresses) told.push_back(link_to(address));
    peer.deliver(from, ExchangeReply{told});
  }
  // The partner of the next exchange, and its message.
  std::pair<PeerId, Exchange> exchange() {
    peer.forget();
    REQUIRE(peer.fire_next());
    REQUIRE(peer.sent<Exchange>().size() == 1);
    return peer.sent<Exchange>().front();
  }
  // What it answers a peer of that utility.
  std::vector<Descriptor> answer(std::uint32_t utility) {
    peer.forget();
    peer.deliver(PeerId{utility}, Exchange{link_to(utility), {}});
    REQUIRE(peer.sent<ExchangeReply>().size() == 1);
    CHECK(peer.sent<ExchangeReply>().front().first == PeerId{utility});
    return peer.sent<ExchangeReply>().front().second.best;
  }
  [[nodiscard]] Addresses view() const { return addresses_of(peer.protocol().view()); }
  static Addresses addresses_of(const std::vector<Descriptor>& links) {
    Addresses found;
    for (const Descriptor& link : links) found.push_back(link.peer.value);
    return found;
  }
};

}  // namespace

TEST_CASE("a view is the best of the descriptors heard, the best first, and no longer than set") {
  Lone lone({.view = 3}, Ranking::gradient());
  lone.hear_of({9, 7, 2});
  lone.hear_of({5, 8});
  CHECK(lone.view() == Addresses{2, 5, 7});
  lone.hear_of({1, 6});
  CHECK(lone.view() == Addresses{1, 2, 5});
}

TEST_CASE("a partner is one of the best by chance") {
  std::set<std::uint32_t> partners;
  Lone lone({.view = 6, .best = 3}, Ranking::gradient());
  for (int i = 0; i < 40; ++i) {
    lone.hear_of({1, 2, 3, 4, 5, 6});
    const PeerId partner = lone.exchange().first;
    lone.peer.deliver(partner, ExchangeReply{});
    partners.insert(partner.value);
  }
  CHECK(partners == std::set<std::uint32_t>{1, 2, 3});
}

TEST_CASE("a request holds the best for the partner, of random links too, and oneself") {
  Lone lone({.view = 6, .best = 1}, Ranking::ring(100), {4, 5, 6});
  lone.hear_of({1, 2, 3, 97, 98, 99});
  const auto [partner, request] = lone.exchange();
  REQUIRE(partner == PeerId{1});
  CHECK(request.sender.peer == me);
  CHECK(Lone::addresses_of(request.best) == Addresses{0, 2, 3, 99, 4, 98});
}

TEST_CASE("an answer holds the best descriptors for the asking peer, of oneself and one's view") {
  Lone lone({.view = 4}, Ranking::ring(100), {6});
  lone.hear_of({9, 7, 4, 20});
  CHECK(Lone::addresses_of(lone.answer(5)) == Addresses{4, 7, 9, 0});
}

TEST_CASE("an exchange tells both sides") {
  Lone lone({.view = 9}, Ranking::gradient());
  const Descriptor sender = lone.link_to(5);
  lone.peer.deliver(PeerId{5}, Exchange{sender, {sender, lone.link_to(6), lone.link_to(7)}});
  CHECK(lone.view() == Addresses{5, 6, 7});
}

TEST_CASE("the newest of two descriptors of a peer stays, whichever comes first") {
  Lone lone({.view = 9}, Ranking::gradient());
  Descriptor old = lone.link_to(5);
  lone.peer.pass(1s);
  Descriptor young = lone.link_to(5);
  young.advert.utility = 3;
  for (const auto& told : {std::vector{old, young}, std::vector{young, old}, std::vector{old}}) {
    lone.peer.deliver(PeerId{99}, ExchangeReply{told});
    REQUIRE(lone.view() == Addresses{5});
    CHECK(lone.peer.protocol().view().front() == young);
  }
}

TEST_CASE("a view never holds oneself") {
  Lone lone({.view = 9}, Ranking::gradient());
  lone.hear_of({0, 1});
  CHECK(lone.view() == Addresses{1});
}

TEST_CASE("a silent partner leaves the view, and older news of it is not believed") {
  Lone lone({.view = 9, .best = 1}, Ranking::gradient());
  lone.hear_of({1, 2});
  const Descriptor old = lone.link_to(1);
  REQUIRE(lone.exchange().first == PeerId{1});
  CHECK(lone.exchange().first == PeerId{2});
  lone.peer.deliver(PeerId{2}, ExchangeReply{{old}});
  CHECK(lone.view() == Addresses{2});
  CHECK(Lone::addresses_of(lone.exchange().second.best) == Addresses{0});
}

TEST_CASE("a later sign of life brings a silent partner back, by whichever peer it comes") {
  Lone lone({.view = 9, .best = 1}, Ranking::gradient());
  lone.hear_of({1, 2});
  REQUIRE(lone.exchange().first == PeerId{1});
  REQUIRE(lone.exchange().first == PeerId{2});
  lone.hear_of({1}, PeerId{2});
  CHECK(lone.view() == Addresses{1, 2});
}

TEST_CASE("a partner that answers late is believed again") {
  Lone lone({.view = 9, .best = 1}, Ranking::gradient());
  lone.hear_of({1, 2});
  const Descriptor said = lone.link_to(1);
  REQUIRE(lone.exchange().first == PeerId{1});
  REQUIRE(lone.exchange().first == PeerId{2});
  lone.peer.deliver(PeerId{1}, ExchangeReply{{said}});
  CHECK(lone.view() == Addresses{1, 2});
}

TEST_CASE("a partner that answers, or asks, within the period stays") {
  for (const bool asks : {false, true}) {
    Lone lone({.view = 9, .best = 1}, Ranking::gradient());
    lone.hear_of({1, 2});
    REQUIRE(lone.exchange().first == PeerId{1});
    if (asks) {
      lone.peer.deliver(PeerId{1}, Exchange{lone.link_to(1), {}});
    } else {
      lone.peer.deliver(PeerId{1}, ExchangeReply{});
    }
    CHECK(lone.exchange().first == PeerId{1});
  }
}

TEST_CASE("a peer silent for long is forgotten, though it was not asked, and not passed on") {
  Lone lone({.view = 9, .best = 1, .forget_after = 2s}, Ranking::gradient());
  lone.hear_of({7, 8});
  const Descriptor last_word = lone.link_to(7);
  lone.peer.pass(3s);
  lone.hear_of({1});
  CHECK(lone.view() == Addresses{1});
  lone.peer.deliver(PeerId{1}, ExchangeReply{{last_word}});
  CHECK(lone.view() == Addresses{1});
}

TEST_CASE("a peer that has not begun yet asks no other, but forgets as others do") {
  Lone lone({.view = 9, .begin_after = 5s, .forget_after = 2s}, Ranking::gradient());
  lone.hear_of({7});
  while (lone.peer.now() < core::Time{} + 3s) REQUIRE(lone.peer.fire_next());
  CHECK(lone.view().empty());
  lone.hear_of({8});
  while (lone.peer.now() < core::Time{} + 4500ms) REQUIRE(lone.peer.fire_next());
  CHECK(lone.peer.sent_count() == 0);
  while (lone.peer.now() < core::Time{} + 5250ms) REQUIRE(lone.peer.fire_next());
  CHECK(lone.peer.sent<Exchange>().size() == 1);
}

TEST_CASE("random links that were silent for long are not passed on") {
  Lone lone({.view = 9, .best = 1, .forget_after = 2s}, Ranking::gradient(), {4});
  lone.peer.pass(3s);
  lone.hear_of({1});
  CHECK(Lone::addresses_of(lone.exchange().second.best) == Addresses{0});
}

TEST_CASE("an exchange in the name of another is not answered, nor one without sense") {
  Lone lone({.view = 9, .peers = 50}, Ranking::gradient());
  Descriptor nonsense = lone.link_to(5);
  nonsense.advert.utility = std::nan("");
  lone.peer.deliver(PeerId{5}, Exchange{lone.link_to(6), {lone.link_to(7)}});
  lone.peer.deliver(PeerId{5}, Exchange{nonsense, {lone.link_to(7)}});
  lone.peer.deliver(PeerId{5}, ExchangeReply{{lone.link_to(50), {}, nonsense}});
  CHECK(lone.peer.sent_count() == 0);
  CHECK(lone.view().empty());
}

TEST_CASE("more descriptors than a view holds are not read") {
  Lone lone({.view = 2}, Ranking::gradient());
  lone.hear_of({7, 8, 1, 2});
  CHECK(lone.view() == Addresses{7, 8});
}

}  // namespace rhizome::t_man_test
