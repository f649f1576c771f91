#include "core/history/file_content.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace rhizome::core {

namespace {

// Whether the file is one hole.
bool is_one_hole(const std::filesystem::path& file) {
  const int opened = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const bool empty = opened >= 0 && lseek(opened, 0, SEEK_DATA) < 0 && errno == ENXIO;
  if (opened >= 0) close(opened);
  return empty;
}

}  // namespace

std::uint64_t content_of(const std::filesystem::path& file) {
  constexpr std::uint64_t block = 512;  // the unit of st_blocks
  constexpr std::uint64_t compression = 16;
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return 0;
  if (status.st_blocks == 0)  // not counted here, or nothing is there
    return is_one_hole(file) ? 0 : static_cast<std::uint64_t>(status.st_size);
  return std::min(static_cast<std::uint64_t>(status.st_size),
                  static_cast<std::uint64_t>(status.st_blocks) * block * compression);
}

}  // namespace rhizome::core
