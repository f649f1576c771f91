#include "scenarios/text/whole_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

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

}  // namespace

// Somebody may have put a link in the place of the part, which leads elsewhere.
WholeFile::WholeFile(fs::path path) : path_(std::move(path)), part_(part_of(path_)) {
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(part_, ignored)) && part_ != path_)
    fs::remove(part_, ignored);
  errno = 0;
  out_.open(part_, std::ios::binary);
  if (!out_) refuse(std::generic_category().message(errno));
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

void WholeFile::refuse(std::string_view why) const {
  throw CannotWrite(path_.string() + " cannot be written: " + std::string(why));
}

void write_whole(const fs::path& path, std::string_view text) {
  WholeFile file(path);
  file.out().write(text.data(), static_cast<std::streamsize>(text.size()));
  file.commit();
}

fs::path make_temporary_file() {
  std::error_code ignored;
  const fs::path folder = fs::temp_directory_path(ignored);
  std::string name = (folder / "rhizome-XXXXXX").string();
  const int opened = mkstemp(name.data());
  if (opened < 0) throw CannotWrite("cannot make a file in " + folder.string());
  close(opened);
  return name;
}

}  // namespace rhizome::scenarios
