// Links: what a network does to a packet, judged at its sender, the same in both engines.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/peer/interface.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::core {

// The verdict of one link on one packet.
struct LinkVerdict {
  enum class Kind : std::uint8_t { pass, deliver, drop, duplicate };
  Kind kind = Kind::pass;
  Duration after{0};      // of deliver
  Drop why = Drop::lost;  // of drop

  [[nodiscard]] static LinkVerdict pass() { return {}; }
  [[nodiscard]] static LinkVerdict deliver(Duration after) {
    return {Kind::deliver, after, Drop::lost};
  }
  [[nodiscard]] static LinkVerdict drop(Drop why) { return {Kind::drop, Duration{0}, why}; }
  [[nodiscard]] static LinkVerdict duplicate() {
    return {Kind::duplicate, Duration{0}, Drop::lost};
  }
};

// A judge of packets. Shared by all peers at once, so it has no state that changes: chance comes
// from the sender's stream.
class Link : public Interface {
 public:
  [[nodiscard]] virtual LinkVerdict judge(Time now, const PacketHeader&, Rng&) const = 0;
};

// The fate of one packet: of its one or two copies, `arriving` arrive; the others are dropped.
struct Transmission {
  std::uint8_t copies = 1;
  std::uint8_t arriving = 1;
  Drop why = Drop::lost;            // of those that do not arrive
  std::array<Duration, 2> after{};  // of those that do
};

// Links asked in order. The first delivery or drop decides; a duplication lets the rest of the
// chain judge a second copy on its own. A packet that all let pass arrives at once, as does every
// packet of a peer to itself.
class LinkChain {
 public:
  template <class L, class... A>
  LinkChain& add(A&&... arguments) {
    return add(std::make_unique<L>(std::forward<A>(arguments)...));
  }
  LinkChain& add(std::unique_ptr<Link> link) {
    links_.push_back(std::move(link));
    return *this;
  }
  // To be asked before all others.
  LinkChain& add_first(std::unique_ptr<Link> link) {
    links_.insert(links_.begin(), std::move(link));
    return *this;
  }
  [[nodiscard]] Transmission judge(Time now, const PacketHeader&, Rng&) const;

 private:
  [[nodiscard]] LinkVerdict decide(std::size_t& from, Time now, const PacketHeader&, Rng&) const;
  std::vector<std::unique_ptr<Link>> links_;
};

}  // namespace rhizome::core
