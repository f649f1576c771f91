#include "agents/program/logs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "agents/program/wire.hpp"

namespace rhizome::agents::program {

namespace {

namespace fs = std::filesystem;
using core::PeerId;

constexpr std::string_view ending = ".log";

std::string beginning_of(std::uint64_t seed) { return std::to_string(seed) + "-"; }

bool is_about(std::string_view name, std::uint64_t seed, PeerId peer) {
  const std::string beginning = beginning_of(seed);
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return false;
  name.remove_prefix(beginning.size());
  name.remove_suffix(std::min(ending.size(), name.size()));
  const std::size_t dash = name.find('-');
  const auto number = [](std::string_view text) { return peer_called(text, core::no_peer.value); };
  const auto first = number(name.substr(0, dash));
  const auto last = dash == name.npos ? first : number(name.substr(dash + 1));
  return first && last && *first <= peer && peer <= *last;
}

std::optional<fs::path> file_about(const fs::path& folder, std::uint64_t seed, PeerId peer) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
    if (is_about(entry.path().filename().string(), seed, peer)) return entry.path();
  return {};
}

// In a folder of another user, a pipe would block the reader, and a link would lead to other files:
// only a plain file is read.
std::string end_of(const fs::path& path) {
  constexpr off_t most = 4096;
  const int opened = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return {};
  const std::unique_ptr<const int, void (*)(const int*)> closed(
      &opened, [](const int* descriptor) { close(*descriptor); });
  struct stat about {};
  if (fstat(opened, &about) != 0 || !S_ISREG(about.st_mode)) return {};
  std::string read(static_cast<std::size_t>(std::min<off_t>(about.st_size, most)), '\0');
  const ssize_t got =
      pread(opened, read.data(), read.size(), std::max<off_t>(0, about.st_size - most));
  read.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  return about.st_size > most ? read.substr(std::min(read.size(), read.find('\n') + 1)) : read;
}

}  // namespace

std::string log_name(std::uint64_t seed, PeerId first, PeerId last) {
  return beginning_of(seed) + peer_name(first) + (first == last ? "" : "-" + peer_name(last)) +
         std::string(ending);
}

std::vector<std::string> end_of_log(const fs::path& folder, std::uint64_t seed, PeerId peer,
                                    std::size_t most) {
  const auto path = file_about(folder, seed, peer);
  if (!path) return {};
  std::istringstream text(end_of(*path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(std::move(line));
  if (lines.size() > most)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

}  // namespace rhizome::agents::program
