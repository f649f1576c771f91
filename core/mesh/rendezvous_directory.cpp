#include "core/mesh/rendezvous_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>

#include "core/mesh/missing.hpp"

namespace rhizome::core {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_descriptor = std::size_t{64} << 10U;
constexpr std::chrono::milliseconds pause{20};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Unreachable("the rendezvous in " + path.string() + ": " + why);
}

std::string system_words() { return std::strerror(errno); }

// A descriptor that is closed.
class Opened {
 public:
  explicit Opened(int descriptor) : descriptor_(descriptor) {}
  ~Opened() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] explicit operator bool() const { return descriptor_ >= 0; }

 private:
  const int descriptor_;
};

void make(const std::filesystem::path& path) {
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    fail(path, "it cannot be made: " + system_words());
}

int open_private(const std::filesystem::path& path) {
  const int opened = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) fail(path, "it cannot be opened: " + system_words());
  struct stat is {};
  const bool known = fstat(opened, &is) == 0;
  if (known && is.st_uid == geteuid() && (is.st_mode & (S_IRWXG | S_IRWXO)) == 0) return opened;
  close(opened);
  fail(path, "others may enter it: it must be yours alone (chmod 700), for who writes there joins");
}

std::string name_of(std::uint32_t rank) { return "descriptor-" + std::to_string(rank); }

bool write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t some = write(to, text.data() + done, text.size() - done);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return false;
    done += static_cast<std::size_t>(some);
  }
  return true;
}

std::optional<std::string> read_all(int from) {
  std::string text(most_descriptor + 1, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t some = read(from, text.data() + done, text.size() - done);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return {};
    if (some == 0) break;
    done += static_cast<std::size_t>(some);
  }
  text.resize(done);
  return text;
}

// Nothing while it is not there.
std::optional<std::string> descriptor_in(int directory, std::uint32_t rank,
                                         const std::filesystem::path& path) {
  const Opened file(
      openat(directory, name_of(rank).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return {};
  struct stat is {};
  if (!file || fstat(file.get(), &is) != 0 || !S_ISREG(is.st_mode) || is.st_uid != geteuid())
    fail(path, name_of(rank) + " is no file of yours");
  std::optional<std::string> descriptor = read_all(file.get());
  if (!descriptor || descriptor->size() > most_descriptor)
    fail(path, name_of(rank) + " cannot be read");
  return descriptor;
}

// With a slash at its end, a link would be followed.
std::filesystem::path without_slash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

std::filesystem::path path_for(const RendezvousDirectory::Options& options) {
  const std::string& session = options.place.session;
  const std::filesystem::path directory = without_slash(options.directory);
  return session.empty() ? directory : directory / session;
}

}  // namespace

RendezvousDirectory::RendezvousDirectory(const Options& options)
    : path_(path_for(options)), place_(options.place), patience_(options.patience), directory_(-1) {
  if (!options.place.session.empty()) {
    make(without_slash(options.directory));
    close(open_private(without_slash(options.directory)));
  }
  make(path_);
  directory_ = open_private(path_);
}

RendezvousDirectory::~RendezvousDirectory() { close(directory_); }

// The descriptor appears whole, under a name that did not exist: an earlier run may have left its
// descriptors.
void RendezvousDirectory::leave(const std::string& descriptor) const {
  const std::string name = name_of(place_.rank);
  const std::string fresh = name + "." + std::to_string(getpid());
  const Opened file(openat(directory_, fresh.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           S_IRUSR | S_IWUSR));
  if (!file || !write_all(file.get(), descriptor) || fsync(file.get()) != 0)
    fail(path_, fresh + " cannot be written: " + system_words());
  const bool placed = linkat(directory_, fresh.c_str(), directory_, name.c_str(), 0) == 0;
  const bool taken = errno == EEXIST;
  const std::string why = system_words();
  unlinkat(directory_, fresh.c_str(), 0);
  if (placed) return;
  fail(path_, taken ? "process " + std::to_string(place_.rank) +
                          " has been there before: each run needs an empty directory of its own"
                    : name + " cannot be made: " + why);
}

std::vector<std::string> RendezvousDirectory::gather(const std::string& descriptor) {
  leave(descriptor);
  std::vector<std::optional<std::string>> found(place_.size);
  const auto deadline = Clock::now() + patience_;
  for (;;) {
    for (std::uint32_t rank = 0; rank < place_.size; ++rank)
      if (!found[rank]) found[rank] = descriptor_in(directory_, rank, path_);
    if (auto descriptors = complete(found)) return *descriptors;
    if (Clock::now() >= deadline)
      fail(path_, who_is_missing(found, patience_) +
                      (place_.hosts.empty() ? "" : "; all were begun on " + place_.hosts));
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace rhizome::core
