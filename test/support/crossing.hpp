// Ends of links for tests: a gateway that counts packets, a slow one, and a rendezvous in memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/gateway.hpp"
#include "core/mesh/rendezvous.hpp"

namespace rhizome::test {

// Counts the packets that come in.
class Inside final : public core::Gateway {
 public:
  std::optional<core::Drop> put(const core::PacketHeader&, std::span<const std::byte>) override {
    ++packets_;
    return {};
  }
  void begins(core::PeerId, core::Incarnation) override { ++lives_; }

  [[nodiscard]] std::uint64_t packets() const { return packets_; }
  [[nodiscard]] std::uint64_t lives() const { return lives_; }

 private:
  std::atomic<std::uint64_t> packets_{0};
  std::atomic<std::uint64_t> lives_{0};
};

// Handles packets slowly, during which its process receives nothing.
class Slow final : public core::Gateway {
 public:
  explicit Slow(std::chrono::milliseconds time) : time_(time) {}
  std::optional<core::Drop> put(const core::PacketHeader&, std::span<const std::byte>) override {
    busy_ = true;
    std::this_thread::sleep_for(time_);
    return {};
  }
  void begins(core::PeerId, core::Incarnation) override {}
  [[nodiscard]] bool is_busy() const { return busy_; }

 private:
  const std::chrono::milliseconds time_;
  std::atomic<bool> busy_{false};
};

// Where processes meet that are threads of one.
class MeetingPlace {
 public:
  explicit MeetingPlace(std::uint32_t size) : descriptors_(size) {}

  [[nodiscard]] std::vector<std::string> gather(std::uint32_t rank, const std::string& descriptor) {
    std::unique_lock lock(mutex_);
    descriptors_[rank] = descriptor;
    ++came_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return came_ >= descriptors_.size(); });
    return descriptors_;
  }
  // Once all have come.
  [[nodiscard]] std::vector<std::string> gather_again() {
    const std::scoped_lock lock(mutex_);
    return descriptors_;
  }
  [[nodiscard]] std::uint32_t size() const {
    return static_cast<std::uint32_t>(descriptors_.size());
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> descriptors_;
  std::size_t came_ = 0;
};

class InMemory final : public core::Rendezvous {
 public:
  // Called with all descriptors before gather() returns.
  using Met = std::function<void(const std::vector<std::string>&)>;
  InMemory(MeetingPlace& place, std::uint32_t rank, Met met = {})
      : place_(place), rank_(rank), met_(std::move(met)) {}
  [[nodiscard]] std::uint32_t rank() const override { return rank_; }
  [[nodiscard]] std::uint32_t size() const override { return place_.size(); }
  [[nodiscard]] std::vector<std::string> gather(const std::string& descriptor) override {
    std::vector<std::string> all = place_.gather(rank_, descriptor);
    if (met_) met_(all);
    return all;
  }

 private:
  MeetingPlace& place_;
  const std::uint32_t rank_;
  const Met met_;
};

}  // namespace rhizome::test
