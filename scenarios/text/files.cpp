#include "scenarios/text/files.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

// `name`: of the file, for messages. Reads in blocks, because files may be large and the size of a
// pipe is unknown.
std::string read_all(std::ifstream& in, const std::string& name, std::size_t most_bytes) {
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      throw UnreadableFile(name + ": is larger than " + std::to_string(most_bytes >> 20U) +
                           " MiB, which is no text to be read");
  }
  return text;
}

}  // namespace

std::optional<std::string> read_file(const std::filesystem::path& file, std::size_t most_bytes) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, ignored)) return {};
  return read_all(in, file.string(), most_bytes);
}

std::optional<std::string> read_plain_file(const std::filesystem::path& file,
                                           std::size_t most_bytes) {
  std::ifstream in = open_regular(file, false);
  if (!in.is_open()) return {};
  return read_all(in, file.string(), most_bytes);
}

namespace {

// Files of the kernel only look plain: some have no end, some are empty until something happens.
bool is_plain(int opened) {
  struct stat status {};
  struct statfs system {};
  return fstat(opened, &status) == 0 && fstatfs(opened, &system) == 0 && S_ISREG(status.st_mode) &&
         system.f_type != PROC_SUPER_MAGIC;
}

}  // namespace

// Reads the same file that it checked, even if another file has taken its place meanwhile.
std::ifstream open_regular(const std::filesystem::path& file, bool follow) {
  const int opened =
      open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
  std::ifstream in;
  if (opened >= 0 && is_plain(opened))
    in.open("/dev/fd/" + std::to_string(opened), std::ios::binary);
  if (opened >= 0) close(opened);
  return in;
}

namespace {

// A directory has a further name in each of its own.
bool is_own(const std::filesystem::path& path, mode_t type) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == type &&
         status.st_uid == geteuid() && (type == S_IFDIR || status.st_nlink == 1);
}

}  // namespace

bool is_own_file(const std::filesystem::path& file) { return is_own(file, S_IFREG); }

bool is_own_directory(const std::filesystem::path& directory) { return is_own(directory, S_IFDIR); }

}  // namespace rhizome::scenarios
