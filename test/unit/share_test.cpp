// Which process runs which peers, and what crosses the border of a share.
#include "core/engine/share.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/engine/border.hpp"

namespace rhizome::core::share_test {

namespace {

std::vector<std::uint32_t> shares_of(const Placement& placement, std::uint32_t peers) {
  std::vector<std::uint32_t> shares;
  for (std::uint32_t i = 0; i < peers; ++i) shares.push_back(placement.share_of(PeerId{i}));
  return shares;
}

// Writes down what leaves.
class Outside final : public Gateway {
 public:
  std::optional<Drop> put(const PacketHeader& header, std::span<const std::byte>) override {
    if (refuses == header.to) return Drop::congested;
    put_to.push_back(header.to);
    return {};
  }
  void begins(PeerId peer, Incarnation life) override { lives.emplace_back(peer, life); }

  PeerId refuses = no_peer;
  std::vector<PeerId> put_to;
  std::vector<std::pair<PeerId, Incarnation>> lives;
};

PacketHeader packet_for(PeerId peer) { return {.from = PeerId{1}, .to = peer}; }

}  // namespace

TEST_CASE("blocks are as large as their weights, without a peer lost or a share out of order") {
  const std::vector<std::uint32_t> weights{1, 0, 2, 1};
  CHECK(shares_of(Placement::blocks(8, weights), 8) ==
        std::vector<std::uint32_t>{0, 0, 2, 2, 2, 2, 3, 3});
  for (std::uint32_t peers = 0; peers < 40; ++peers) {
    const auto shares = shares_of(Placement::blocks(peers, weights), peers);
    CHECK(std::is_sorted(shares.begin(), shares.end()));
  }
}

TEST_CASE("round robin puts neighbours apart") {
  const Placement placement = Placement::round_robin(5, 2);
  CHECK(shares_of(placement, 5) == std::vector<std::uint32_t>{0, 1, 0, 1, 0});
  CHECK(Share(placement, 1).peers_of(5) == std::vector<PeerId>{PeerId{1}, PeerId{3}});
}

TEST_CASE("where the network takes its own time, a packet is due when it arrives") {
  Outside outside;
  Directory directory(2);
  for (const bool real : {false, true}) {
    auto local = make_direct_transport(1);
    Border border(Share(Placement::round_robin(2, 2), 0), 2, std::move(local), outside, directory);
    if (real) border.take_as_due([] { return Time{std::chrono::seconds(5)}; });
    CHECK_FALSE(
        border.put({.from = PeerId{1}, .to = PeerId{0}, .due = Time{std::chrono::hours(1)}}, {}));
    const auto come = border.inbox(PeerId{0}).receive(std::chrono::nanoseconds(0));
    REQUIRE(come);
    CHECK(come->envelope.header.due ==
          (real ? Time{std::chrono::seconds(5)} : Time{std::chrono::hours(1)}));
  }
}

TEST_CASE("a default share has all peers") {
  const Share share;
  CHECK(share.is_all());
  CHECK(share.shares() == 1);
  CHECK(share.runs(PeerId{7}));
  CHECK(share.peers_of(2) == std::vector<PeerId>{PeerId{0}, PeerId{1}});
}

TEST_CASE("a packet to another share leaves through the gateway, and is counted for that share") {
  const Placement placement = Placement::round_robin(6, 3);
  Outside outside;
  Directory directory(6);
  Border border({placement, 1}, 6, make_direct_transport(2), outside, directory);
  for (const std::uint32_t to : {4U, 0U, 3U, 5U})
    CHECK_FALSE(border.carry(packet_for(PeerId{to}), {}).has_value());
  CHECK(border.inbox(PeerId{4}).depth() == 1);
  CHECK(border.inbox(PeerId{1}).depth() == 0);
  CHECK(outside.put_to == std::vector<PeerId>{PeerId{0}, PeerId{3}, PeerId{5}});
  CHECK(border.handed_over() == std::vector<std::uint64_t>{2, 0, 1});
  border.tell(PeerId{4}, Incarnation{1});
  CHECK(outside.lives.size() == 1);
  outside.refuses = PeerId{0};
  CHECK(border.carry(packet_for(PeerId{0}), {}) == Drop::congested);
  CHECK(border.handed_over() == std::vector<std::uint64_t>{3, 0, 2});
}

TEST_CASE(
    "a packet that comes in is in its receiver's inbox, lives in the directory, both counted") {
  const Placement placement = Placement::round_robin(4, 2);
  Outside outside;
  Directory directory(4);
  Border border({placement, 1}, 4, make_direct_transport(2), outside, directory);
  border.begins(PeerId{2}, Incarnation{3});
  CHECK_FALSE(border.put(packet_for(PeerId{3}), {}).has_value());
  CHECK(directory.life(PeerId{2}) == Incarnation{3});
  CHECK(border.inbox(PeerId{3}).depth() == 1);
  CHECK(border.came_in() == 2);
  CHECK_THROWS_AS(static_cast<void>(border.put(packet_for(PeerId{2}), {})), std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(border.put(packet_for(PeerId{9}), {})), std::logic_error);
  CHECK(border.came_in() == 2);
}

}  // namespace rhizome::core::share_test
