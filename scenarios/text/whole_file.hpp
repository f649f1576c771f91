// A file that is there whole or not at all: it is written under another name beside its place, and
// takes its name once all of it is on the disk. So a full disk leaves the former file.
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string_view>

namespace rhizome::scenarios {

// An output cannot be created or written; main exits with status 73.
class CannotWrite : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file that is written bit by bit, made where there is none. A link of this user's is followed.
// Throws CannotWrite for a link, a file or a pipe of another user, who may have put it into a
// folder that everybody may write to, such as /tmp: what is written would be his, or go elsewhere.
// The kernel refuses those where fs.protected_symlinks and fs.protected_regular are set.
[[nodiscard]] std::ofstream open_own(const std::filesystem::path& file, std::ios::openmode mode);

class WholeFile {
 public:
  // Whether the user chose the name. A chosen name may be a link, which is followed and stays one,
  // or a device or pipe, such as /dev/stdout, which is written itself. At an implied name, such as
  // that of a file in a run directory, another user may have put a link to a file of this user:
  // only a plain file is replaced there.
  enum class Name { chosen, implied };
  // Throws CannotWrite, as write_whole does.
  explicit WholeFile(std::filesystem::path path, Name name = Name::implied);
  // Removes the file if it was not committed.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  [[nodiscard]] std::ostream& out() { return out_; }
  // Throws CannotWrite unless all of it could be written.
  void commit();

 private:
  void open_part();
  [[noreturn]] void refuse(std::string_view why) const;

  std::filesystem::path path_;
  std::filesystem::path part_;  // the same as the path where it is written itself
  std::ofstream out_;
  bool open_ = true;
};

// Writes the whole text at once.
void write_whole(const std::filesystem::path& path, std::string_view text,
                 WholeFile::Name name = WholeFile::Name::implied);

// Makes an empty temporary file with an unpredictable name, for this user alone. The caller removes
// it. Throws CannotWrite and core::NoFolder.
[[nodiscard]] std::filesystem::path make_temporary_file();

}  // namespace rhizome::scenarios
