// A bell: how the thread of a mesh, which sleeps in a poll, learns that something is to be sent.
#pragma once

#include <atomic>

namespace rhizome::core {

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
  // To be called after the poll.
  void get_up();
  // To be polled for reading.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  void wake() const;

  const int descriptor_;
  std::atomic<bool> asleep_{false};
};

}  // namespace rhizome::core
