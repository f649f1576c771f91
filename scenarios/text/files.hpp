// Whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace rhizome::scenarios {

// All that a file holds; nothing where there is none, or none that can be read. Throws
// UnreadableFile for more bytes than these, which a device or a pipe may have.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& file,
                                                   std::size_t most_bytes = 64U << 20U);

// The same for a file of a directory that others may have made: nothing for a link, a pipe or a
// device, which would lead elsewhere or hold the reader up.
[[nodiscard]] std::optional<std::string> read_plain_file(const std::filesystem::path& file,
                                                         std::size_t most_bytes = 64U << 20U);

// The file, open for reading where it is a plain one: a pipe or a device would hold the reader up.
// `follow`: whether through a link.
[[nodiscard]] std::ifstream open_regular(const std::filesystem::path& file, bool follow = true);

// Whether it is a file, no link, belongs to this user, and has no further name: what is written to
// a hard link is written to another file.
[[nodiscard]] bool is_own_file(const std::filesystem::path& file);
[[nodiscard]] bool is_own_directory(const std::filesystem::path& directory);

}  // namespace rhizome::scenarios
