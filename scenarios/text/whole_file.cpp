#include "scenarios/text/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;
using core::Opened;

namespace {

[[noreturn]] void refuse_to_write(const fs::path& path, std::string_view why) {
  throw CannotWrite(path.string() + " cannot be written: " + std::string(why));
}

// The folder of a place without links, also where another user puts one there meanwhile.
int open_folder(const fs::path& place) {
  return core::open_without_links(AT_FDCWD, place.parent_path().c_str(), O_PATH | O_DIRECTORY);
}

}  // namespace

fs::path led_to(const fs::path& path) try {
  return core::led_to(path);
} catch (const core::StrangeLink& error) {
  refuse_to_write(path, error.what());
}

namespace {

// A plain file of this user's own, made where there is none. Throws CannotWrite.
int open_own_file(const fs::path& file, int access = O_WRONLY) {
  constexpr std::string_view why = "it is no plain file of this user's own";
  const fs::path place = led_to(file);
  const Opened folder(open_folder(place));
  if (!folder) refuse_to_write(file, std::generic_category().message(errno));
  errno = 0;
  Opened there(openat(folder.number(), place.filename().c_str(),
                      access | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                      core::without_umask(0644)));  // where there is an access list, too
  if (!there && (errno == ENXIO || errno == ELOOP)) refuse_to_write(file, why);
  if (!there) refuse_to_write(file, std::generic_category().message(errno));
  if (!there.is(S_IFREG) || there.owner() != geteuid()) refuse_to_write(file, why);
  if (there.links() > 1) refuse_to_write(file, "it has a further name (a hard link)");
  return there.release();
}

}  // namespace

std::ofstream open_own(const fs::path& file) {
  const Opened there(open_own_file(file));
  std::ofstream opened(there.path(), std::ios::trunc | std::ios::binary);
  if (!opened.is_open()) refuse_to_write(file, std::generic_category().message(errno));
  return opened;
}

OwnLines::OwnLines(const fs::path& file, Begin begin)
    : file_(open_own_file(file, O_APPEND | (begin == Begin::kept ? O_RDWR : O_WRONLY))) {
  if (begin == Begin::kept && core::others_may_write("/dev/fd/" + std::to_string(file_)))
    refuse_to_write(file, "other users may write to it (chmod go-w)");
  if (begin == Begin::empty && !cut(0))
    refuse_to_write(file, std::generic_category().message(errno));
}

OwnLines::~OwnLines() {
  if (file_ >= 0) close(file_);
}

bool OwnLines::add(std::string_view line) {
  const off_t end = lseek(file_, 0, SEEK_END);
  if (write(file_, line.data(), line.size()) == static_cast<ssize_t>(line.size())) return true;
  static_cast<void>(!ftruncate(file_, end));  // a full disk lets a file be cut
  return false;
}

std::optional<std::string> OwnLines::text(std::size_t most) const {
  std::string text;
  for (std::string piece(1U << 16U, '\0'); text.size() <= most;) {
    const ssize_t size = pread(file_, piece.data(), piece.size(), static_cast<off_t>(text.size()));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size < 0 ? std::nullopt : std::optional(text);
    text.append(piece, 0, static_cast<std::size_t>(size));
  }
  return {};
}

bool OwnLines::cut(std::size_t length) { return ftruncate(file_, static_cast<off_t>(length)) == 0; }

HeldFolder::HeldFolder(const fs::path& folder) : folder_(open_folder(led_to(folder) / "name")) {
  if (folder_ < 0) refuse_to_write(folder, std::generic_category().message(errno));
}

HeldFolder::~HeldFolder() { close(folder_); }

fs::path HeldFolder::path() const { return "/proc/self/fd/" + std::to_string(folder_); }

void make_folder(const fs::path& folder) {
  constexpr mode_t rights = 0755;
  fs::path made;
  for (const fs::path& name : led_to(folder)) {
    made /= name;
    std::error_code ignored;
    if (mkdir(made.c_str(), rights) != 0 && !fs::is_directory(made, ignored))
      throw CannotWrite("cannot make the folder " + folder.string() + ": " +
                        std::generic_category().message(errno));
  }
}

WholeFile::WholeFile(fs::path path, Name name, mode_t rights) : path_(std::move(path)) {
  std::error_code ignored;
  const bool chosen = name == Name::chosen;
  const fs::file_status status =
      chosen ? fs::status(path_, ignored) : fs::symlink_status(path_, ignored);
  const bool is_plain = !fs::exists(status) || fs::is_regular_file(status);
  if (!chosen && !is_plain) refuse("it is no plain file, but a link, a device or a directory");
  const fs::path place =
      chosen ? led_to(path_) : led_to(fs::absolute(path_).parent_path()) / path_.filename();
  errno = 0;
  is_plain ? open_part(place, rights) : open_itself(place);
  if (!out_.is_open()) refuse(std::generic_category().message(errno));
}

// A device or a pipe, with a name of no other user: the one that the name led to, whatever another
// user has put there since. A plain file that has taken its place is not emptied.
void WholeFile::open_itself(const fs::path& place) {
  const Opened folder(open_folder(place));
  if (!folder) return;
  const std::string name = place.filename();
  const Opened named(openat(folder.number(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (named && named.is(S_IFIFO) && named.owner() != geteuid() && named.owner() != 0)
    refuse("it is another user's pipe");
  const bool of_kernel = named && is_name_of_kernel(named);
  const Opened there(
      openat(folder.number(), name.c_str(), O_WRONLY | O_CLOEXEC | (of_kernel ? 0 : O_NOFOLLOW)));
  if (there && there.is(S_IFREG)) refuse("it has become a plain file");
  if (there) out_.open(there.path(), std::ios::binary);
}

// Removes any file in its place, whether a run that was killed left it or another process made it;
// a file that appears there meanwhile is not opened. The stream is that of a file that this process
// has made.
void WholeFile::open_part(const fs::path& place, mode_t rights) {
  constexpr std::size_t longest_stem = 200;  // bytes; names of files have at most 255
  folder_ = open_folder(place);
  if (folder_ < 0) return;
  name_ = place.filename();
  part_ = "." + name_.substr(0, longest_stem) + ".rhizome-part";
  // Another user's file of that name cannot be removed in a folder for all.
  if (unlinkat(folder_, part_.c_str(), 0) != 0 && errno != ENOENT)
    part_ = "." + std::to_string(getpid()) + part_;
  // What the user has closed to others is so from the beginning.
  const Opened former(openat(folder_, name_.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  const bool is_known = former && former.is(S_IFREG) && former.owner() == geteuid();
  if (is_known && (former.mode() & S_IWUSR) == 0) refuse("it may only be read (chmod u+w)");
  mode_t closed = 0;  // to those who may not read
  if ((rights & S_IRGRP) == 0) closed |= S_IRWXG;
  if ((rights & S_IROTH) == 0) closed |= S_IRWXO;
  if (is_known) rights = core::rights_of(former, place.parent_path()) & ~closed;
  const Opened made(openat(folder_, part_.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           S_IRUSR | S_IWUSR));
  if (made) out_.open(made.path(), std::ios::binary);
  core::give_rights(made, rights, place.parent_path(),
                    is_known ? core::Umask::ignored : core::Umask::counts);
}

WholeFile::~WholeFile() {
  if (folder_ < 0) return;
  if (open_) {
    out_.close();
    unlinkat(folder_, part_.c_str(), 0);
  }
  close(folder_);
}

void WholeFile::commit() {
  errno = 0;
  out_.close();
  if (!out_) refuse(errno != 0 ? std::generic_category().message(errno) : "the output failed");
  open_ = false;
  if (folder_ >= 0 && renameat(folder_, part_.c_str(), folder_, name_.c_str()) != 0)
    refuse(std::generic_category().message(errno));
}

void WholeFile::refuse(std::string_view why) const { refuse_to_write(path_, why); }

void write_whole(const fs::path& path, std::string_view text, WholeFile::Name name, mode_t rights) {
  WholeFile file(path, name, rights);
  file.out().write(text.data(), static_cast<std::streamsize>(text.size()));
  file.commit();
}

}  // namespace rhizome::scenarios
