#include "scenarios/text/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

std::optional<std::string> read_file(const std::filesystem::path& file, std::size_t most_bytes) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, ignored)) return {};
  // In blocks: files may be large, and pipes say no size.
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      throw UnreadableFile(file.string() + ": is larger than " + std::to_string(most_bytes >> 20U) +
                           " MiB, which is no text to be read");
  }
  return text;
}

std::optional<std::string> read_plain_file(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(file, ignored);
  return std::filesystem::is_regular_file(status) ? read_file(file) : std::nullopt;
}

bool is_own_file(const std::filesystem::path& file) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

}  // namespace rhizome::scenarios
