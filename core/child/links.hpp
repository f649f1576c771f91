// Names that may lead through links, in folders where other users may put some.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace rhizome::core {

// A link on the way is another user's, or there are too many; the text says so.
class StrangeLink : public std::runtime_error {
 public:
  StrangeLink(const std::string& text, std::filesystem::path at)
      : std::runtime_error(text), at_(std::move(at)) {}
  [[nodiscard]] const std::filesystem::path& at() const { return at_; }

 private:
  std::filesystem::path at_;
};

// The path without links, each of which was looked at once. A link is followed if it is of this
// user or of root: that of a folder's owner may lead out of it, to files of this user. Calls
// looked_in(folder) for each folder in which a name on the way stands, a link or not. Throws
// StrangeLink.
[[nodiscard]] std::filesystem::path led_to(
    const std::filesystem::path& path,
    const std::function<void(const std::filesystem::path& folder)>& looked_in = {});

// An open file or folder.
class Opened {
 public:
  explicit Opened(int number) : number_(number) {
    if (number_ >= 0 && fstat(number_, &is_) != 0) is_ = {};
  }
  Opened(const std::filesystem::path& path, int flags)
      : Opened(open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Opened() {
    if (number_ >= 0) close(number_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  [[nodiscard]] explicit operator bool() const { return number_ >= 0; }
  [[nodiscard]] bool is(mode_t type) const { return (is_.st_mode & S_IFMT) == type; }
  [[nodiscard]] uid_t owner() const { return is_.st_uid; }
  [[nodiscard]] off_t size() const { return is_.st_size; }
  [[nodiscard]] nlink_t links() const { return is_.st_nlink; }  // hard ones, or names
  [[nodiscard]] gid_t group() const { return is_.st_gid; }
  [[nodiscard]] mode_t mode() const { return is_.st_mode; }
  [[nodiscard]] bool is_for_others() const { return (is_.st_mode & 077U) != 0; }
  [[nodiscard]] int number() const { return number_; }
  // It stays open: the caller closes it.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  // The same file, whatever has its name by now.
  [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(number_); }

 private:
  int number_;
  struct stat is_ {};
};

// Opens the file, below that folder or AT_FDCWD, through no link on the way: another user may have
// put one there since the name was looked at. O_CLOEXEC is added. Returns -1 and sets errno. A
// kernel before 5.6, or one that hides that call, looks at the last name only.
[[nodiscard]] int open_without_links(int folder, const char* file, int flags);

// Whether it is a link of /proc to a pipe or a socket, such as "pipe:[123]". Only the kernel makes
// such links, and their text is no path.
[[nodiscard]] bool is_name_of_kernel(const Opened& link);

}  // namespace rhizome::core
