// The enhanced shuffle of Cyclon, step by step.
#include "overlay/cyclon.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "test/support/lone_peer.hpp"

namespace rhizome::cyclon_test {

using core::PeerId;
using namespace overlay;
using namespace std::chrono_literals;

namespace {

constexpr PeerId me{0};

Descriptor link_to(std::uint32_t peer, std::uint32_t age = 0) {
  return {.peer = PeerId{peer}, .age = age};
}

struct Lone {
  std::vector<PeerId> seeds;
  test::LonePeer<Cyclon> peer;

  Lone(CyclonOptions options, const std::vector<std::uint32_t>& addresses,
       const Advert& advert = {})
      : seeds(ids(addresses)), peer(me, [&](core::Peer& bare) {
          bare.add<Cyclon>(options, Neighbours(seeds)).advertise(advert);
        }) {
    peer.start();
  }
  static std::vector<PeerId> ids(const std::vector<std::uint32_t>& addresses) {
    std::vector<PeerId> made;
    for (const std::uint32_t address : addresses) made.push_back(PeerId{address});
    return made;
  }
  // The partner of the next shuffle, and its message.
  std::pair<PeerId, Shuffle> shuffle() {
    peer.forget();
    REQUIRE(peer.fire_next());
    REQUIRE(peer.sent<Shuffle>().size() == 1);
    return peer.sent<Shuffle>().front();
  }
  [[nodiscard]] const std::vector<Descriptor>& view() const { return peer.protocol().view(); }
  [[nodiscard]] std::set<std::uint32_t> links() const { return addresses_of(view()); }
  [[nodiscard]] const Descriptor* link(std::uint32_t to) const {
    for (const Descriptor& held : view())
      if (held.peer.value == to) return &held;
    return nullptr;
  }
  static std::set<std::uint32_t> addresses_of(const std::vector<Descriptor>& links) {
    std::set<std::uint32_t> found;
    for (const Descriptor& link : links) found.insert(link.peer.value);
    return found;
  }
};

}  // namespace

TEST_CASE("a view begins with neighbours by chance, not with the lowest addresses") {
  std::map<std::uint32_t, int> held;
  const std::vector<std::uint32_t> all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  for (std::uint32_t self = 0; self < 1000; ++self) {
    const auto seeds = Lone::ids(all);
    test::LonePeer<Cyclon> peer(PeerId{self + 100}, CyclonOptions{.view = 4, .period = 0ms},
                                Neighbours(seeds));
    peer.start();
    REQUIRE(peer.protocol().view().size() == 4);
    for (const Descriptor& link : peer.protocol().view()) ++held[link.peer.value];
  }
  CHECK(held.size() == 16);
  for (const auto& [peer, times] : held) CHECK(times == doctest::Approx(250).epsilon(0.25));
}

TEST_CASE("the same peer begins with the same view in every run of a seed") {
  const std::vector<std::uint32_t> all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(Lone({.view = 3}, all).links() == Lone({.view = 3}, all).links());
}

TEST_CASE("with a period of zero no peer shuffles, and the seeds stay") {
  Lone lone({.view = 3, .period = 0ms}, {1, 2, 3});
  CHECK_FALSE(lone.peer.fire_next());
  CHECK(lone.links() == std::set<std::uint32_t>{1, 2, 3});
}

TEST_CASE("a shuffle ages every link by one period") {
  Lone lone({.view = 4, .shuffle = 1}, {1, 2, 3, 4});
  for (std::uint32_t age = 1; age < 4; ++age) {
    lone.shuffle();
    for (const Descriptor& link : lone.view()) CHECK(link.age == age);
  }
}

TEST_CASE("a shuffle is with the oldest link, which leaves the view, answer or none") {
  Lone lone({.view = 4, .shuffle = 2}, {1});
  lone.peer.deliver(PeerId{9}, Shuffle{{link_to(5, 3), link_to(6, 8)}});
  lone.peer.deliver(PeerId{9}, Shuffle{{link_to(7, 5)}});
  for (const std::uint32_t next : {6U, 7U, 5U, 1U}) {
    CHECK(lone.shuffle().first == PeerId{next});
    CHECK_FALSE(lone.links().contains(next));
  }
  CHECK(lone.links().empty());
}

TEST_CASE("a shuffle gives other links away, and a fresh one to oneself that says how one fares") {
  const Advert advert{.utility = 5, .free_cpus = 7, .free_memory = 3};
  Lone lone({.view = 4, .shuffle = 3}, {1, 2, 3, 4}, advert);
  const auto [to, message] = lone.shuffle();
  REQUIRE(message.sample.size() == 3);
  const Descriptor& self = message.sample.back();
  CHECK(self == Descriptor{me, 0, lone.peer.now(), advert});
  const auto others = Lone::addresses_of({message.sample.begin(), message.sample.end() - 1});
  CHECK(others.size() == 2);
  CHECK_FALSE(others.contains(to.value));
}

TEST_CASE("an answer is a sample of one's own links, as long as a shuffle, of their age") {
  Lone lone({.view = 4, .shuffle = 2}, {1, 2, 3, 4});
  lone.shuffle();
  lone.peer.deliver(PeerId{9}, Shuffle{{link_to(9)}});
  const auto answers = lone.peer.sent<ShuffleReply>();
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().first == PeerId{9});
  const auto& sample = answers.front().second.sample;
  REQUIRE(sample.size() == 2);
  CHECK(sample[0].peer != sample[1].peer);
  for (const Descriptor& link : sample) CHECK(link.age == 1);
}

TEST_CASE("every link is as likely to be in a sample as any other") {
  Lone lone({.view = 5, .shuffle = 2, .period = 1h}, {1, 2, 3, 4, 5});
  std::map<std::uint32_t, int> given;
  for (int i = 0; i < 5000; ++i) {
    lone.peer.forget();
    lone.peer.deliver(PeerId{9}, Shuffle{});
    const auto answers = lone.peer.sent<ShuffleReply>();
    for (const Descriptor& link : answers.front().second.sample) ++given[link.peer.value];
  }
  for (std::uint32_t link = 1; link <= 5; ++link)
    CHECK(given[link] == doctest::Approx(2000).epsilon(0.1));
}

TEST_CASE("links of an answer take empty slots first, then those of links given away") {
  Lone lone({.view = 4, .shuffle = 2}, {1, 2, 3, 4});
  const auto [partner, message] = lone.shuffle();
  const std::uint32_t given = message.sample.front().peer.value;
  std::set<std::uint32_t> expected = lone.links();
  lone.peer.deliver(partner, ShuffleReply{{link_to(7), link_to(8)}});
  expected.erase(given);
  expected.insert({7, 8});
  CHECK(lone.links() == expected);
}

TEST_CASE("a peer that answers replaces the links that it gave away") {
  Lone lone({.view = 2, .shuffle = 2}, {1, 2});
  lone.peer.deliver(PeerId{9}, Shuffle{{link_to(8), link_to(9)}});
  CHECK(lone.links() == std::set<std::uint32_t>{8, 9});
}

TEST_CASE("a full view without a link given away keeps its links") {
  Lone lone({.view = 3, .shuffle = 2}, {1, 2, 3});
  lone.peer.deliver(PeerId{5}, ShuffleReply{{link_to(8), link_to(9)}});
  CHECK(lone.links() == std::set<std::uint32_t>{1, 2, 3});
}

TEST_CASE("an answer after the next shuffle has begun replaces nothing") {
  Lone lone({.view = 4, .shuffle = 3}, {1, 2, 3, 4});
  const PeerId late = lone.shuffle().first;
  lone.shuffle();
  std::set<std::uint32_t> kept = lone.links();
  lone.peer.deliver(late, ShuffleReply{{link_to(7), link_to(8), link_to(9)}});
  kept.insert({7, 8});
  CHECK(lone.links() == kept);
}

TEST_CASE("a view holds no peer twice") {
  Lone lone({.view = 4, .shuffle = 3}, {1, 2});
  lone.peer.deliver(PeerId{5}, ShuffleReply{{link_to(1), link_to(7), link_to(7)}});
  CHECK(lone.links() == std::set<std::uint32_t>{1, 2, 7});
  CHECK(lone.view().size() == 3);
}

TEST_CASE("a younger descriptor replaces an older one where that is asked for") {
  for (const Duplicates duplicates : {Duplicates::discard, Duplicates::keep_younger}) {
    Lone lone({.view = 3, .duplicates = duplicates}, {1, 2, 3});
    lone.peer.pass(9s);
    const auto tell = [&](double free, core::Duration taken) {
      Descriptor news = link_to(1);
      news.advert.free_cpus = free;
      news.taken = core::Time{} + taken;
      lone.peer.deliver(PeerId{2}, ShuffleReply{{news}});
      return lone.link(1)->advert.free_cpus;
    };
    const bool renewed = duplicates == Duplicates::keep_younger;
    CHECK(tell(5, 4s) == (renewed ? 5 : 0));
    CHECK(tell(6, 3s) == (renewed ? 5 : 0));  // older news
  }
}

TEST_CASE("a peer that got no answer from any link is alone, unless it asks its seeds") {
  for (const bool asks : {false, true}) {
    Lone lone({.view = 3, .shuffle = 1, .asks_seeds = asks}, {1, 2, 3});
    for (int shuffle = 0; shuffle < 20; ++shuffle) REQUIRE(lone.peer.fire_next());
    CHECK(lone.links().empty());
    CHECK((lone.peer.sent_count() > 3) == asks);
  }
}

TEST_CASE("links that cannot be are not believed, whichever peer sends them") {
  Lone lone({.view = 9, .shuffle = 9, .peers = 10}, {1});
  Descriptor endless = link_to(3);
  endless.advert.utility = std::numeric_limits<double>::infinity();
  Descriptor nonsense = link_to(4);
  nonsense.advert.free_memory = std::nan("");
  lone.peer.deliver(
      PeerId{2}, ShuffleReply{{link_to(me.value), link_to(10), {}, endless, nonsense, link_to(5)}});
  CHECK(lone.links() == std::set<std::uint32_t>{1, 5});
}

TEST_CASE("more links than a shuffle holds are not read") {
  Lone lone({.view = 9, .shuffle = 2}, {1});
  lone.peer.deliver(PeerId{2}, Shuffle{{link_to(5), link_to(6), link_to(7), link_to(8)}});
  CHECK(lone.links() == std::set<std::uint32_t>{1, 5, 6});
}

TEST_CASE("no message is from the future, and no age overflows") {
  Lone lone({.view = 4, .shuffle = 3}, {});
  Descriptor ahead = link_to(1, std::numeric_limits<std::uint32_t>::max());
  ahead.taken = core::Time::max();
  Descriptor before = link_to(2);
  before.taken = core::Time::min();
  lone.peer.pass(3s);
  lone.peer.deliver(PeerId{9}, ShuffleReply{{ahead, before}});
  CHECK(lone.link(1)->taken == lone.peer.now());
  CHECK(lone.link(2)->taken == core::Time{});
  CHECK(lone.shuffle().first == PeerId{1});
}

}  // namespace rhizome::cyclon_test
