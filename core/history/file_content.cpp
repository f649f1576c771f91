#include "core/history/file_content.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace rhizome::core {

std::uint64_t content_of(const std::filesystem::path& file) {
  constexpr std::uint64_t block = 512;  // the unit of st_blocks
  constexpr std::uint64_t compression = 16;
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return 0;
  if (status.st_blocks == 0) return static_cast<std::uint64_t>(status.st_size);  // not counted here
  return std::min(static_cast<std::uint64_t>(status.st_size),
                  static_cast<std::uint64_t>(status.st_blocks) * block * compression);
}

}  // namespace rhizome::core
