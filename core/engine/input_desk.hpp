// Where the thread that asks for inputs leaves them for the threads of their peers.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "core/peer/input.hpp"

namespace rhizome::core {

class InputDesk {
 public:
  // The ticket with which it can be taken, once.
  std::uint32_t leave(Input input) {
    const std::scoped_lock lock(mutex_);
    left_.emplace(last_, std::move(input));
    return last_++;
  }
  [[nodiscard]] Input take(std::uint32_t ticket) {
    const std::scoped_lock lock(mutex_);
    return std::move(left_.extract(ticket).mapped());
  }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, Input> left_;
  std::uint32_t last_ = 0;
};

}  // namespace rhizome::core
