#include "tools/monitor/registry.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "scenarios/live/plain_text.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::tools {

namespace fs = std::filesystem;
using scenarios::Json;

namespace {

constexpr std::size_t longest_entry = 16 << 10U;
constexpr std::size_t longest_socket = sizeof(sockaddr_un::sun_path) - 1;

std::string why() { return std::generic_category().message(errno); }

// A file descriptor that is closed at the end.
class File {
 public:
  File(const fs::path& path, int flags) : file_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  // False where somebody else holds it.
  [[nodiscard]] bool lock() const { return flock(file_, LOCK_EX | LOCK_NB) == 0; }
  [[nodiscard]] std::string text() const {
    std::string text(longest_entry, '\0');
    const ssize_t read = pread(file_, text.data(), text.size(), 0);
    text.resize(read > 0 ? static_cast<std::size_t>(read) : 0);
    return text;
  }

 private:
  int file_;
};

std::string member(const Json& json, const char* name) {
  return scenarios::live::plain_text(json.at(name).get<std::string>());
}

// The socket with it.
void remove_entry(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
  fs::remove(fs::path(path).replace_extension(".sock"), ignored);
}

bool write_all(int file, const std::string& text) {
  return write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

Registry Registry::of_user() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') return Registry(fs::path(runtime) / "rhizome");
  return Registry(fs::temp_directory_path() / ("rhizome-" + std::to_string(geteuid())));
}

fs::path Registry::entry(std::uint64_t process) const {
  return directory_ / (std::to_string(process) + ".json");
}

std::string Registry::endpoint(std::uint64_t process) const {
  const std::string path = (directory_ / (std::to_string(process) + ".sock")).string();
  if (path.size() > longest_socket)
    throw NoRegistry(path + ": too long for a socket, which may have " +
                     std::to_string(longest_socket) +
                     " characters: set XDG_RUNTIME_DIR to a "
                     "shorter path");
  return "ipc://" + path;
}

void Registry::make() const {
  if (mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    throw NoRegistry(directory_.string() + ": " + why());
  struct stat status {};
  if (lstat(directory_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw NoRegistry(directory_.string() + ": is no directory: remove it");
  if (status.st_uid != geteuid() || (status.st_mode & 077U) != 0)
    throw NoRegistry(directory_.string() +
                     ": is not this user's alone: remove it, or set XDG_RUNTIME_DIR");
}

std::optional<RegisteredRun> Registry::read(const fs::path& path) const {
  const File file(path, O_RDONLY | O_NOFOLLOW);
  if (!file.is_open()) return {};
  if (file.lock()) {
    remove_entry(path);
    return {};
  }
  const std::optional<Json> json = scenarios::parse_json(file.text());
  if (!json) return {};
  try {
    return RegisteredRun{.process = json->at("pid").get<std::uint64_t>(),
                         .scenario = member(*json, "scenario"),
                         .began = member(*json, "began"),
                         .directory = member(*json, "directory"),
                         .endpoint = member(*json, "endpoint")};
  } catch (const scenarios::JsonError&) {
    return {};
  }
}

std::vector<RegisteredRun> Registry::runs() const {
  std::vector<RegisteredRun> runs;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, ignored))
    if (entry.path().extension() == ".json")
      if (auto run = read(entry.path())) runs.push_back(std::move(*run));
  std::sort(runs.begin(), runs.end(), [](const RegisteredRun& a, const RegisteredRun& b) {
    return a.began != b.began ? a.began > b.began : a.process > b.process;
  });
  return runs;
}

bool Registry::holds(std::uint64_t process) const { return read(entry(process)).has_value(); }

// It is there from the moment that it has its name: locked, and whole.
Registration::Registration(const Registry& registry, const RegisteredRun& run)
    : path_(registry.directory() / (std::to_string(run.process) + ".json")) {
  const std::string draft = path_.string() + ".new";
  file_ = open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  const std::string text = scenarios::line_of(Json{{"pid", run.process},
                                                   {"scenario", run.scenario},
                                                   {"began", run.began},
                                                   {"directory", run.directory},
                                                   {"endpoint", run.endpoint}});
  if (file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0 && write_all(file_, text) &&
      rename(draft.c_str(), path_.c_str()) == 0)
    return;
  const std::string reason = why();
  if (file_ >= 0) close(file_);
  throw NoRegistry(draft + ": " + reason);
}

Registration::~Registration() {
  remove_entry(path_);
  close(file_);
}

}  // namespace rhizome::tools
