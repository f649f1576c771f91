// What a file can hold.
#pragma once

#include <cstdint>
#include <filesystem>

namespace rhizome::core {

// In bytes. A file may be sparse: its length then says nothing, and what it has on the disk counts,
// at the best compression that a file system reaches. 0 for a file that cannot be seen. Some file
// systems count no blocks: there a file that is not one hole holds its length.
[[nodiscard]] std::uint64_t content_of(const std::filesystem::path& file);

}  // namespace rhizome::core
