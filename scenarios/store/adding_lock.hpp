// Tells that a process adds to a run directory.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace rhizome::scenarios {

// Only its owner can open this file. So no other user can take the lock, or keep the owner from it.
inline constexpr const char* lock_name = ".lock";

// Held by the process that adds to a run directory, until it ends. Where the file system has no
// locks, nothing is held.
class AddingLock {
 public:
  // Throws UnreadableFile where another process holds it.
  explicit AddingLock(const std::filesystem::path& directory);
  // Nothing there instead.
  [[nodiscard]] static std::optional<AddingLock> unless_held(
      const std::filesystem::path& directory);
  AddingLock(AddingLock&& other) noexcept : held_(std::exchange(other.held_, -1)) {}
  AddingLock& operator=(AddingLock&&) = delete;
  ~AddingLock();

 private:
  int held_;
};

// Whether a process holds that lock. Takes no lock itself, and returns true where only another user
// can know.
[[nodiscard]] bool is_added_to(const std::filesystem::path& directory);

}  // namespace rhizome::scenarios
