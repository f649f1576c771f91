// A send queue: the messages that wait to be sent to another process. Adding one never blocks;
// messages that gather while the link is busy are sent together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>

#include "core/mesh/loss.hpp"
#include "core/mesh/record.hpp"

namespace rhizome::core {

// A bell: how the thread of a mesh, which sleeps in a poll, learns that something is to be sent.
// Many threads ring, one sleeps. A ring costs a system call only where it sleeps.
class Bell {
 public:
  // Throws std::system_error where the system refuses a descriptor.
  Bell();
  ~Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  // To be called once the item can be seen by the sleeper.
  void ring() {
    // Either the sleeper sees the thing, or this sees the sleeper: both orders are sequential.
    if (asleep_.load() && asleep_.exchange(false)) wake();
  }
  // Rings wake from now on. Look for items after this call and before the poll.
  void lie_down() { asleep_.store(true); }
  // After the poll.
  void get_up();
  // To be polled for reading.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  void wake() const;

  const int descriptor_;
  std::atomic<bool> asleep_{false};
};

// A batch is closed once it has reached so many bytes.
inline constexpr std::size_t full_batch = std::size_t{64} << 10U;

// Filled from any thread, emptied by one.
class SendQueue {
 public:
  // Packets beyond `most` bytes are refused: more needs more memory where the other end is slow,
  // less drops packets sooner. The bell outlives it.
  SendQueue(Bell& bell, std::size_t most) : bell_(bell), most_(most) {}

  // A run begins: batches carry its number, and packets are counted from 0.
  void begin(std::uint32_t run);
  // Why the packet is not taken, if it is not: congested, oversized, or machine once it is closed.
  [[nodiscard]] std::optional<Drop> put(const PacketHeader& header,
                                        std::span<const std::byte> payload);
  // Adds news behind earlier packets. A closed send queue ignores it.
  void begins(const NewLife& news);
  // A frame of its own, before all packets.
  void say(Bytes frame);
  // The other end takes nothing more.
  void close();

  // The packets of this run that have been taken.
  [[nodiscard]] std::uint64_t packets() const;
  [[nodiscard]] BurdensByClass burdens() const;
  // The next frame to be sent.
  [[nodiscard]] std::optional<Bytes> next();
  [[nodiscard]] bool empty() const;

 private:
  // The batch that is still open.
  [[nodiscard]] Bytes& open_batch();

  Bell& bell_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::uint32_t run_ = 0;
  std::uint64_t packets_ = 0;
  BurdensByClass burdens_{};
  std::size_t waiting_ = 0;    // bytes in batches
  std::deque<Bytes> batches_;  // batches of this run
  std::deque<Bytes> said_;
  bool closed_ = false;
};

}  // namespace rhizome::core
