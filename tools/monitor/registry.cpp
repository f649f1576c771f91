#include "tools/monitor/registry.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "core/child/own_folder.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

namespace fs = std::filesystem;
using scenarios::Json;

namespace {

constexpr std::size_t longest_entry = 64U << 20U;  // a scenario's name may be as long as its file
constexpr const char* entry_ending = ".json";
constexpr const char* socket_ending = ".sock";
constexpr std::size_t longest_socket = sizeof(sockaddr_un::sun_path) - 1;

std::string why() { return std::generic_category().message(errno); }

// A file descriptor that is closed at the end.
class File {
 public:
  // Opening must not block on a pipe of that name, nor follow a link.
  static constexpr int careful = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  explicit File(const fs::path& directory)
      : file_(open(directory.c_str(), careful | O_DIRECTORY)) {}
  File(const File& directory, const std::string& name)
      : file_(openat(directory.file_, name.c_str(), careful)) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  // Whether the file has that type, belongs to the user, and denies others these rights.
  [[nodiscard]] bool is_own(mode_t type, mode_t rights) const {
    struct stat status {};
    return fstat(file_, &status) == 0 && (status.st_mode & S_IFMT) == type &&
           status.st_uid == geteuid() && (status.st_mode & rights) == 0;
  }
  // False where another process holds it.
  [[nodiscard]] bool lock() const { return flock(file_, LOCK_EX | LOCK_NB) == 0; }
  [[nodiscard]] std::string text() const {
    struct stat status {};
    if (fstat(file_, &status) != 0 || status.st_size > off_t{longest_entry}) return {};
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t read = pread(file_, text.data(), text.size(), 0);
    text.resize(read > 0 ? static_cast<std::size_t>(read) : 0);
    return text;
  }
  // An entry of this directory, with its socket.
  void remove(const std::string& stem) const {
    struct stat status {};
    const std::string socket = stem + socket_ending;
    unlinkat(file_, (stem + entry_ending).c_str(), 0);
    if (fstatat(file_, socket.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISSOCK(status.st_mode))
      unlinkat(file_, socket.c_str(), 0);
  }

 private:
  int file_;
};

std::string member(const Json& json, const char* name) {
  return scenarios::plain_text(json.at(name).get<std::string>());
}

std::optional<RegisteredRun> run_of(const std::string& text) {
  const std::optional<Json> json = scenarios::parse_json(text);
  if (!json) return {};
  try {
    return RegisteredRun{.process = json->at("pid").get<std::uint64_t>(),
                         .scenario = member(*json, "scenario"),
                         .began = member(*json, "began"),
                         .directory = member(*json, "directory"),
                         .endpoint = json->at("endpoint").get<std::string>()};
  } catch (const scenarios::JsonError&) {
    return {};
  }
}

bool write_all(int file, const std::string& text) {
  return write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

Registry Registry::of_user() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') return Registry(fs::path(runtime) / "rhizome");
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (error || !folder.is_absolute()) folder = "/tmp";  // "@name" would be open to all
  return Registry(folder / ("rhizome-" + std::to_string(geteuid())));
}

std::string Registry::endpoint(std::uint64_t process) const {
  const std::string path = (directory_ / (std::to_string(process) + socket_ending)).string();
  if (path.size() > longest_socket)
    throw NoRegistry(path + ": too long for a socket, which may have " +
                     std::to_string(longest_socket) +
                     " characters: set XDG_RUNTIME_DIR to a "
                     "shorter path");
  return "ipc://" + path;
}

void Registry::make() const {
  if (const auto objection = this->objection()) throw NoRegistry(*objection);
  if (mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    throw NoRegistry(directory_.string() + ": " + why());
  if (const auto objection = this->objection()) throw NoRegistry(*objection);
}

std::optional<std::string> Registry::objection() const {
  struct stat status {};
  if (const auto folder = core::open_to_others(directory_))
    return directory_.string() + ": " + core::why_open(*folder) +
           ": set XDG_RUNTIME_DIR to a directory of your own";
  if (lstat(directory_.c_str(), &status) != 0) return {};
  if (!S_ISDIR(status.st_mode)) return directory_.string() + ": is no directory: remove it";
  if (status.st_uid != geteuid() || (status.st_mode & 077U) != 0)
    return directory_.string() + ": is not this user's alone: remove it, or set XDG_RUNTIME_DIR";
  return {};
}

// Removes the entry of a dead run, and no other file: a file that is no entry may be the user's.
std::optional<RegisteredRun> Registry::read(std::uint64_t process) const {
  const File directory(directory_);
  if (core::open_to_others(directory_) || !directory.is_own(S_IFDIR, 077)) return {};
  const std::string stem = std::to_string(process);
  const File file(directory, stem + entry_ending);
  if (!file.is_open() || !file.is_own(S_IFREG, 022)) return {};
  std::optional<RegisteredRun> run = run_of(file.text());
  if (!run || run->process != process || run->endpoint != endpoint(process)) return {};
  if (!file.lock()) return run;
  directory.remove(stem);
  return {};
}

std::vector<RegisteredRun> Registry::runs() const {
  std::vector<RegisteredRun> runs;
  std::error_code ignored;
  if (objection()) return runs;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, ignored)) {
    const std::string stem = entry.path().stem();
    std::uint64_t process = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), process);
    if (entry.path().extension() != entry_ending || error != std::errc{} ||
        stem != std::to_string(process))
      continue;
    if (auto run = read(process)) runs.push_back(std::move(*run));
  }
  std::sort(runs.begin(), runs.end(), [](const RegisteredRun& a, const RegisteredRun& b) {
    return a.began != b.began ? a.began > b.began : a.process > b.process;
  });
  return runs;
}

bool Registry::holds(std::uint64_t process) const { return read(process).has_value(); }

// The entry is locked and complete when it gets its name.
Registration::Registration(const Registry& registry, const RegisteredRun& run)
    : directory_(registry.directory()), stem_(std::to_string(run.process)) {
  const fs::path path = directory_ / (stem_ + entry_ending);
  const std::string draft = path.string() + ".new";
  file_ = open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  const std::string text = scenarios::line_of(Json{{"pid", run.process},
                                                   {"scenario", run.scenario},
                                                   {"began", run.began},
                                                   {"directory", run.directory},
                                                   {"endpoint", run.endpoint}});
  if (file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0 && write_all(file_, text) &&
      rename(draft.c_str(), path.c_str()) == 0)
    return;
  const std::string reason = why();
  if (file_ >= 0) close(file_);
  throw NoRegistry(draft + ": " + reason);
}

Registration::~Registration() {
  if (const File directory(directory_); directory.is_own(S_IFDIR, 077)) directory.remove(stem_);
  close(file_);
}

}  // namespace rhizome::tools
