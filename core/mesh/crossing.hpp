// The crossing of a run: the packets that its engine in this process puts into the mesh, and gets
// out of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine/gateway.hpp"
#include "core/engine/shared_control.hpp"
#include "core/mesh/entrance.hpp"
#include "core/mesh/mesh.hpp"

namespace rhizome::core {

struct SendQueues;

// Only one crossing exists at a time, in the same order in all processes. As a gateway it may
// outlive the mesh, for the threads of a run that got stuck.
class Crossing final : public Gateway, public Post {
 public:
  // All shares of a run cross with the same numbers. The mesh outlives it otherwise.
  Crossing(Mesh& mesh, RunOfMany run);
  ~Crossing() override;

  // Passes packets of the others to `inside`, until it is closed.
  void open(Gateway& inside);
  void close();
  // The packets that crossed to and from the process that runs that share.
  [[nodiscard]] CrossingLedger ledger(std::uint32_t share) const;

  std::optional<Drop> put(const PacketHeader& header, std::span<const std::byte> payload) override;
  void begins(PeerId peer, Incarnation life) override;

  void send(std::uint32_t to, const Bytes& message) override;
  [[nodiscard]] std::optional<Letter> receive(std::chrono::nanoseconds wait) override;
  [[nodiscard]] std::chrono::nanoseconds clock_offset() const override;
  [[nodiscard]] std::chrono::nanoseconds clock_bound() const override;
  [[nodiscard]] std::optional<Gone> gone(std::uint32_t share) const override;

 private:
  Mesh::Net& net_;
  std::shared_ptr<SendQueues> send_queues_;
  const RunOfMany run_;
};

}  // namespace rhizome::core
