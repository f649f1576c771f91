#include "tools/serve/address_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <system_error>

#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/monitor/web/door/client.hpp"
#include "tools/serve/places.hpp"

namespace rhizome::tools {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path) {
  throw scenarios::CannotWrite(path.string() + ": " + std::generic_category().message(errno));
}

// The lines of an address file: the URL of a server, and the network in which it holds.
struct Lines {
  std::string url;
  std::string network;
};

std::string text_of(const core::Opened& file) {
  std::array<char, 400> text{};
  const ssize_t size = pread(file.number(), text.data(), text.size(), 0);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

Lines lines_of(const core::Opened& file) {
  std::istringstream in(text_of(file));
  Lines lines;
  std::getline(in, lines.url);
  std::getline(in, lines.network);
  return lines;
}

// The boot of this machine and the network namespace of this process. In another container, or
// where the folder is shared by machines, an address may be another's. Empty if it is not to be
// had.
std::string network_of_this() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  struct stat space {};
  if (!std::getline(file, boot) || stat("/proc/self/ns/net", &space) != 0) return {};
  return boot + " " + std::to_string(space.st_ino);
}

// What a server has left there, or one that was killed before it listened. A user may have a file
// of that name.
bool is_address(const core::Opened& file) {
  static const std::regex ours(R"(http://[^\s]+\n([0-9a-f-]{36} [0-9]+)?\n)");
  return file.is(S_IFREG) && (file.size() == 0 || std::regex_match(text_of(file), ours));
}

void check_replaceable(const fs::path& path) {
  const core::Opened there(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!there ? errno != ENOENT : !is_address(there))
    throw scenarios::CannotWrite(path.string() +
                                 ": would hold the address of the server, and is no such file: "
                                 "move it away, or name another store");
}

}  // namespace

AddressFile::AddressFile(const fs::path& file) : path_(file) {
  check_replaceable(path_);
  if (unlink(path_.c_str()) != 0 && errno != ENOENT) fail(path_);
  constexpr int how = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  file_ = open(path_.c_str(), how, S_IRUSR | S_IWUSR);
  if (file_ < 0) fail(path_);
}

AddressFile::~AddressFile() { close(file_); }

// A client that looks holds the lock for a moment.
void AddressFile::publish(std::string_view url) {
  const std::string line = std::string(url) + "\n" + network_of_this() + "\n";
  if (pwrite(file_, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size())) fail(path_);
  while (flock(file_, LOCK_EX) != 0)
    if (errno != EINTR) fail(path_);
}

void AddressFile::withdraw() { flock(file_, LOCK_UN); }

ListeningServer::ListeningServer(const fs::path& store)
    : file_(
          std::make_shared<core::Opened>(address_file(store), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)) {
  const std::string file = address_file(store).string();
  if (access(file.c_str(), F_OK) != 0)
    throw scenarios::UnreadableFile(file + ": no server has had " + store.string() +
                                    " yet; say --store FILE, as the server does, or --server URL "
                                    "and --token-file FILE");
  if (!*file_ || !file_->is(S_IFREG) || file_->owner() != geteuid() || file_->is_for_others())
    throw scenarios::UnreadableFile(
        file +
        ": is no file of this user alone; say --store FILE, as the server does, or --server URL "
        "and --token-file FILE");
  if (!listens())
    throw NoAnswer("no server has " + store.string() + " now: the one of " + file + " has ended");
  const auto [url, network] = lines_of(*file_);
  if (network.empty() || network != network_of_this())
    throw NoAnswer("the server of " + store.string() + " has the address " + url +
                   " on another machine or in a container: say --server URL and "
                   "--token-file FILE");
  url_ = url;
}

bool ListeningServer::listens() const {
  if (flock(file_->number(), LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  flock(file_->number(), LOCK_UN);
  return false;
}

}  // namespace rhizome::tools
