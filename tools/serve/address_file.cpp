#include "tools/serve/address_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
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

std::string first_line(int file) {
  std::array<char, 300> text{};
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  const std::string_view read(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return std::string(read.substr(0, read.find('\n')));
}

}  // namespace

AddressFile::AddressFile(const fs::path& file) : path_(file) {
  if (unlink(path_.c_str()) != 0 && errno != ENOENT) fail(path_);
  constexpr int how = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  file_ = open(path_.c_str(), how, S_IRUSR | S_IWUSR);
  if (file_ < 0) fail(path_);
}

AddressFile::~AddressFile() { close(file_); }

// A client that looks holds the lock for a moment.
void AddressFile::publish(std::string_view url) {
  const std::string line = std::string(url) + "\n";
  if (pwrite(file_, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size())) fail(path_);
  while (flock(file_, LOCK_EX) != 0)
    if (errno != EINTR) fail(path_);
}

void AddressFile::withdraw() { flock(file_, LOCK_UN); }

ListeningServer::ListeningServer(const fs::path& store)
    : file_(
          std::make_shared<core::Opened>(address_file(store), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)) {
  const std::string file = address_file(store).string();
  if (!*file_ || !file_->is(S_IFREG) || file_->owner() != geteuid() || file_->is_for_others())
    throw scenarios::UnreadableFile(
        file +
        ": is no file of this user alone; say --store FILE, as the server does, or --server URL "
        "and --token-file FILE");
  if (!listens())
    throw NoAnswer("no server has " + store.string() + " now: the one of " + file + " has ended");
  url_ = first_line(file_->number());
}

bool ListeningServer::listens() const {
  if (flock(file_->number(), LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  flock(file_->number(), LOCK_UN);
  return false;
}

}  // namespace rhizome::tools
