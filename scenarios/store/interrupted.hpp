// Stores with a write that was interrupted. SQLite rolls it back into the file that has the name:
// what came from elsewhere may be a hard link to any file of the user's, with a journal that was
// made up.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <vector>

namespace rhizome::scenarios {

// Whether a program was ended while it wrote to the store. Throws DatabaseError where SQLite must
// not open the file.
[[nodiscard]] bool is_interrupted(const std::filesystem::path& file);

// The bytes of such a store as they were before that write, which is rolled back in a copy. Signals
// that would end this process meanwhile, and leave the copy, wait. `patience`: how long to wait for
// other programs that write. Throws DatabaseError.
[[nodiscard]] std::vector<std::byte> bytes_before_write(const std::filesystem::path& file,
                                                        std::chrono::milliseconds patience);

}  // namespace rhizome::scenarios
