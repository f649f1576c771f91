// Stores in places where another user may exchange files. SQLite finds the journal of a store by
// its name, rolls it back into the store, and removes a further file that the journal names. A user
// who exchanges files between two of these steps decides which files SQLite changes.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <vector>

namespace rhizome::scenarios {

// Whether another user owns the file, or may put files beside it or in its place, or it is not
// there.
[[nodiscard]] bool is_exchangeable(const std::filesystem::path& file);

// All bytes of a store, read from one open file while no other process writes to it; `patience`:
// how long to wait for that. Throws DatabaseError if it is no plain file, or a write to it was
// interrupted, which only its owner can roll back.
[[nodiscard]] std::vector<std::byte> bytes_at_once(const std::filesystem::path& file,
                                                   std::chrono::milliseconds patience);

}  // namespace rhizome::scenarios
