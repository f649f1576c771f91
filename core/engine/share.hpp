// A share: the peers of a run that one engine runs, while other engines run the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/peer/ids.hpp"

namespace rhizome::core {

// Assigns peers to shares. The same in all shares of a run.
class Placement {
 public:
  // Each share gets consecutive addresses. The number of its peers is in proportion to its weight;
  // at least one weight is not 0.
  [[nodiscard]] static Placement blocks(std::uint32_t peers,
                                        std::span<const std::uint32_t> weights);
  // Gives neighbouring addresses to different shares. `shares` is at least 1.
  [[nodiscard]] static Placement round_robin(std::uint32_t peers, std::uint32_t shares);

  // `shares_of`: by peer, each less than `shares`.
  [[nodiscard]] static Placement given(std::uint32_t shares, std::vector<std::uint32_t> shares_of) {
    return {shares, std::move(shares_of)};
  }

  [[nodiscard]] std::uint32_t shares() const { return shares_; }
  [[nodiscard]] std::uint32_t share_of(PeerId peer) const { return shares_of_[peer.value]; }

 private:
  Placement(std::uint32_t shares, std::vector<std::uint32_t> shares_of)
      : shares_(shares), shares_of_(std::move(shares_of)) {}

  std::uint32_t shares_;
  std::vector<std::uint32_t> shares_of_;  // by peer
};

// A default share runs all peers.
class Share {
 public:
  Share() = default;
  Share(Placement placement, std::uint32_t number)
      : placement_(std::move(placement)), number_(number) {}

  [[nodiscard]] bool is_all() const { return !placement_; }
  [[nodiscard]] bool runs(PeerId peer) const {
    return !placement_ || placement_->share_of(peer) == number_;
  }
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] std::uint32_t shares() const { return placement_ ? placement_->shares() : 1; }
  [[nodiscard]] std::uint32_t share_of(PeerId peer) const {
    return placement_ ? placement_->share_of(peer) : 0;
  }
  // Another share of the same placement.
  [[nodiscard]] Share of_number(std::uint32_t number) const {
    Share other = *this;
    other.number_ = number;
    return other;
  }
  // The peers that it runs, of so many in all, ascending.
  [[nodiscard]] std::vector<PeerId> peers_of(std::uint32_t peers) const;

 private:
  std::optional<Placement> placement_;
  std::uint32_t number_ = 0;
};

}  // namespace rhizome::core
