#include "scenarios/text/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "core/child/own_folder.hpp"
#include "scenarios/text/files.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

// A link is followed, so that it stays one.
fs::path part_of(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) return path;
  const fs::path real = fs::exists(status) ? fs::canonical(path, ignored) : path;
  return (real.empty() ? path : real).string() + ".part";
}

[[noreturn]] void refuse_to_write(const fs::path& path, std::string_view why) {
  throw CannotWrite(path.string() + " cannot be written: " + std::string(why));
}

// A folder's owner may place links in it.
bool is_link_of_others(const fs::path& path) {
  struct stat link {};
  struct stat folder {};
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return false;
  if (stat(parent.c_str(), &folder) != 0) return false;
  return link.st_uid != geteuid() && link.st_uid != 0 && link.st_uid != folder.st_uid;
}

void refuse_link_of_others(const fs::path& path) {
  if (is_link_of_others(path)) refuse_to_write(path, "another user's link stands there");
}

}  // namespace

// Looks once more after opening: another user may have made the file meanwhile.
std::ofstream open_own(const fs::path& file, std::ios::openmode mode) {
  refuse_link_of_others(file);
  std::error_code error;
  const fs::path real = fs::weakly_canonical(file, error);
  if (error) refuse_to_write(file, error.message());
  constexpr std::string_view why = "it is no plain file of this user's own";
  if (fs::exists(fs::symlink_status(real, error)) && !is_own_file(real)) refuse_to_write(file, why);
  errno = 0;
  std::ofstream opened(real, mode | std::ios::binary);
  if (!opened.is_open()) refuse_to_write(file, std::generic_category().message(errno));
  if (!is_own_file(real)) refuse_to_write(file, why);
  return opened;
}

WholeFile::WholeFile(fs::path path, Name name) : path_(std::move(path)) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path_, ignored);
  if (name == Name::implied && fs::exists(status) && !fs::is_regular_file(status))
    refuse("it is no plain file, but a link, a device or a directory");
  refuse_link_of_others(path_);
  part_ = name == Name::implied ? fs::path(path_.string() + ".part") : part_of(path_);
  errno = 0;
  if (part_ == path_)
    out_.open(path_, std::ios::binary);
  else
    open_part();
  if (!out_.is_open()) refuse(std::generic_category().message(errno));
}

// Removes any file in its place, whether a run that was killed left it or another process made it;
// a file that appears there meanwhile is not opened. The stream is that of a file that this process
// has made.
void WholeFile::open_part() {
  std::error_code ignored;
  fs::remove(part_, ignored);
  constexpr mode_t rights = 0666;
  const int made =
      open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, rights);
  if (made < 0) return;
  out_.open("/dev/fd/" + std::to_string(made), std::ios::binary);
  close(made);
}

WholeFile::~WholeFile() {
  if (!open_ || part_ == path_) return;
  out_.close();
  std::error_code ignored;
  fs::remove(part_, ignored);
}

void WholeFile::commit() {
  errno = 0;
  out_.close();
  if (!out_) refuse(errno != 0 ? std::generic_category().message(errno) : "the output failed");
  open_ = false;
  if (part_ == path_) return;
  std::error_code error;
  fs::rename(part_, part_.parent_path() / part_.stem(), error);
  if (error) refuse(error.message());
}

void WholeFile::refuse(std::string_view why) const { refuse_to_write(path_, why); }

void write_whole(const fs::path& path, std::string_view text, WholeFile::Name name) {
  WholeFile file(path, name);
  file.out().write(text.data(), static_cast<std::streamsize>(text.size()));
  file.commit();
}

fs::path make_temporary_file() {
  const fs::path folder = core::temporary_folder();
  std::string name = (folder / "rhizome-XXXXXX").string();
  const int opened = mkstemp(name.data());
  if (opened < 0) throw CannotWrite("cannot make a file in " + folder.string());
  close(opened);
  return name;
}

}  // namespace rhizome::scenarios
