// What both transports share: framing and the inbox around a ZeroMQ socket. Included by the
// transports only, which are the door to ZeroMQ.
#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <zmq.hpp>

#include "core/engine/transport.hpp"

namespace rhizome::core {

// A doorbell: how one sleeping thread learns that an item was put down for it. ZeroMQ would wake a
// reader through a descriptor, at seven system calls a message; this takes two, and sleeps to the
// nanosecond instead of the millisecond.
// Counts the items that were put down and not yet taken. Many threads put, one takes and sleeps.
class Doorbell {
 public:
  // To be called once the item is ready to be taken.
  void put() {
    put_.fetch_add(1);
    // Either the sleeper sees the count, or this sees the sleeper: both orders are sequential.
    if (asleep_.load() != 0 && asleep_.exchange(0) != 0) wake();
  }
  // To be called once for each item, when waiting() says that there is one.
  void take() { ++taken_; }

  [[nodiscard]] std::uint64_t waiting() const { return put_.load() - taken_; }

  // Sleeps until an item waits, at most for `limit` (for ever without one); may end early.
  void sleep(std::optional<std::chrono::nanoseconds> limit) {
    sched_yield();  // once: under load another thread puts meanwhile, and both calls are spared
    if (waiting() > 0) return;
    asleep_.store(1);
    if (waiting() == 0) wait(limit);
    asleep_.store(0);
  }

 private:
  void wake() { syscall(SYS_futex, &asleep_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

  void wait(std::optional<std::chrono::nanoseconds> limit) {
    timespec rest{};
    if (limit) {
      const auto whole = std::chrono::floor<std::chrono::seconds>(*limit);
      rest = {.tv_sec = whole.count(), .tv_nsec = (*limit - whole).count()};
    }
    syscall(SYS_futex, &asleep_, FUTEX_WAIT_PRIVATE, 1, limit ? &rest : nullptr, nullptr, 0);
  }

  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  std::atomic<std::uint32_t> asleep_{0};
  std::atomic<std::uint64_t> put_{0};
  std::uint64_t taken_ = 0;
};

// A context for in-process sockets only, allowed to hold `sockets` of them.
[[nodiscard]] zmq::context_t make_context(std::uint32_t sockets);

// Without a high-water mark; discards unread messages at close.
[[nodiscard]] zmq::socket_t make_socket(zmq::context_t& context, zmq::socket_type type);

// A transport of type T. Throws std::system_error if the system lacks resources for it.
template <class T>
[[nodiscard]] std::unique_ptr<Transport> opened(std::uint32_t peers) {
  try {
    return std::make_unique<T>(peers);
  } catch (const zmq::error_t& error) {
    throw std::system_error(error.num(), std::generic_category());
  }
}

// Envelope and payload in one message. The message never leaves the process, so its bytes are those
// of the struct. Throws std::bad_alloc, as all other functions here do.
[[nodiscard]] zmq::message_t frame(const Envelope& envelope, std::span<const std::byte> payload);

// Reads only what the doorbell has announced: a ZeroMQ pipe whose reader never finds it empty never
// signals, so no descriptor is written, polled or read.
class SocketInbox final : public Inbox {
 public:
  explicit SocketInbox(zmq::socket_t socket) : socket_(std::move(socket)) {}
  [[nodiscard]] std::optional<Delivery> receive(
      std::optional<std::chrono::nanoseconds> wait) override;
  [[nodiscard]] std::uint64_t depth() const override { return doorbell_.waiting(); }
  // To be called by senders, after the send.
  void announce() { doorbell_.put(); }

 private:
  zmq::socket_t socket_;
  zmq::message_t message_;
  Doorbell doorbell_;
};

}  // namespace rhizome::core
