// Fingerprints, which tell whether a file was changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

// Of a longer file these bytes at its beginning are summed: a file of a terabyte may take no place
// on a disk, but hours to read.
inline constexpr std::uint64_t longest_sum = std::uint64_t{1} << 30U;

// FNV-1a (Fowler, Noll and Vo), in sixteen hexadecimal digits. It gives no protection against an
// attacker. What cannot be read, or is no plain file, has the fingerprint of an empty one.
// At most `most` bytes are read.
[[nodiscard]] std::string fingerprint(const std::filesystem::path& file,
                                      std::uint64_t most = longest_sum);

// The fingerprint of a text.
[[nodiscard]] std::string fingerprint_of(std::string_view text);

// A file with its size and fingerprint when it was read.
struct FileRead {
  std::string name;
  std::uintmax_t bytes = 0;
  std::string fingerprint;
  friend bool operator==(const FileRead&, const FileRead&) = default;
};

// `name`: the name under which a reader of the record can find the file.
[[nodiscard]] FileRead file_read(const std::filesystem::path& file, std::string name);

}  // namespace rhizome::scenarios
