// What tells a file that was changed from one that was not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

// FNV-1a (Fowler, Noll and Vo), in sixteen hexadecimal digits: no protection against somebody who
// means harm. Of a file that cannot be read, that of an empty one.
[[nodiscard]] std::string fingerprint(const std::filesystem::path& file);

// Of a text.
[[nodiscard]] std::string fingerprint_of(std::string_view text);

// A file, as it was read.
struct FileRead {
  std::string name;
  std::uintmax_t bytes = 0;
  std::string fingerprint;
  friend bool operator==(const FileRead&, const FileRead&) = default;
};

// `name`: by which whoever reads of it is to find it.
[[nodiscard]] FileRead file_read(const std::filesystem::path& file, std::string name);

}  // namespace rhizome::scenarios
