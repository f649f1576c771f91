// The border of a share: a transport for its own peers, which hands packets for all other peers to
// the gateway. It counts what crosses, so that nothing is under way unnoticed when a run ends.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/engine/directory.hpp"
#include "core/engine/gateway.hpp"
#include "core/engine/share.hpp"
#include "core/engine/transport.hpp"

namespace rhizome::core {

// As a gateway, it is the entrance, where packets and lives of other shares come in.
class Border final : public Transport, public Gateway {
 public:
  // `local` has an inbox for each peer of the share, dense and in the order of their addresses. The
  // gateway and the directory outlive it.
  Border(Share share, std::uint32_t peers, std::unique_ptr<Transport> local, Gateway& gateway,
         Directory& directory);

  // Sends to a peer of the share.
  void send(PeerId to, const Envelope& envelope, std::span<const std::byte> payload) override {
    local_->send(slot_of(to), envelope, payload);
  }
  // Sends a packet from a peer of the share to any peer. Returns why it cannot leave, if it cannot.
  [[nodiscard]] std::optional<Drop> carry(const PacketHeader& header,
                                          std::span<const std::byte> payload);
  [[nodiscard]] Inbox& inbox(PeerId peer) override { return local_->inbox(slot_of(peer)); }
  void close() override { local_->close(); }
  [[nodiscard]] bool runs(PeerId peer) const { return share_.runs(peer); }
  // To be called before packets arrive. Arriving packets are then due at once by that clock,
  // whatever due time they carry.
  using Now = std::function<Time()>;
  void take_as_due(Now now) { now_ = std::move(now); }
  // A life has begun in this share.
  void tell(PeerId peer, Incarnation life);

  // Takes all packets. Throws std::logic_error where the receiver is not of this share.
  [[nodiscard]] std::optional<Drop> put(const PacketHeader& header,
                                        std::span<const std::byte> payload) override;
  void begins(PeerId peer, Incarnation life) override;

  // By share: packets and lives that were handed over to it.
  [[nodiscard]] std::vector<std::uint64_t> handed_over() const;
  // Packets and lives of other shares that came in.
  [[nodiscard]] std::uint64_t came_in() const { return came_in_; }
  // Waits until that many have come in; false when they have not by the deadline.
  [[nodiscard]] bool wait_for(std::uint64_t expected,
                              std::chrono::steady_clock::time_point deadline);

 private:
  void count_in();
  [[nodiscard]] PeerId slot_of(PeerId peer) const { return slots_[peer.value]; }

  const Share share_;
  std::vector<PeerId> slots_;  // by peer: its inbox; `no_peer` for peers of other shares
  std::unique_ptr<Transport> local_;
  Gateway& gateway_;
  Directory& directory_;
  Now now_;
  std::vector<std::atomic<std::uint64_t>> handed_over_;  // by share
  // Either the waiter sees the count, or the counting thread sees the waiter: both orders are
  // sequential.
  std::atomic<std::uint64_t> came_in_{0};
  std::atomic<std::uint64_t> awaited_{std::numeric_limits<std::uint64_t>::max()};
  std::mutex mutex_;
  std::condition_variable awaited_came_;
};

}  // namespace rhizome::core
