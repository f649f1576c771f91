// A file that is there whole or not at all: it is written under another name beside its place, and
// takes its name once all of it is on the disk. So a full disk leaves the former file.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

// An output cannot be created or written; main exits with status 73.
class CannotWrite : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where a result goes that is named so: the path without links, each of which was looked at once.
// Throws CannotWrite for a link of another user on the way, who may have put it into a folder that
// several may write to, such as /tmp, to have files of this user overwritten.
[[nodiscard]] std::filesystem::path led_to(const std::filesystem::path& path);

// A folder that is opened once, however its name or a folder above it is exchanged afterwards.
// Throws CannotWrite as led_to() does, and where there is no folder.
class HeldFolder {
 public:
  explicit HeldFolder(const std::filesystem::path& folder);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;
  [[nodiscard]] std::filesystem::path path() const;

 private:
  int folder_;
};

// A file that is written bit by bit, made where there is none. Throws CannotWrite as led_to() does,
// and for a file or a pipe of another user, who would own what is written.
[[nodiscard]] std::ofstream open_own(const std::filesystem::path& file);

// A file of this user's own, of lines that are each there whole or not at all.
class OwnLines {
 public:
  enum class Begin { empty, kept };
  // Throws CannotWrite as open_own() does, and for a file that was kept and others may write.
  explicit OwnLines(const std::filesystem::path& file, Begin begin = Begin::empty);
  ~OwnLines();
  OwnLines(const OwnLines&) = delete;
  OwnLines& operator=(const OwnLines&) = delete;
  // At once, at the end. False where not all of it can be written: then nothing of it is there.
  [[nodiscard]] bool add(std::string_view line);
  // What a file that was kept holds; nothing if that is more than so many bytes.
  [[nodiscard]] std::optional<std::string> text(std::size_t most) const;
  // Leaves out all behind so many bytes. False if that cannot be written.
  [[nodiscard]] bool cut(std::size_t length);

 private:
  int file_;
};

// Makes a folder for results and all above it, if they are not there. Throws CannotWrite as
// led_to() does.
void make_folder(const std::filesystem::path& folder);

class WholeFile {
 public:
  // Whether the user chose the name. A chosen name may be a link, which is followed and stays one,
  // or a device or pipe, such as /dev/stdout, which is written itself. At an implied name, such as
  // that of a file in a run directory, another user may have put a link to a file of this user:
  // only a plain file is replaced there.
  enum class Name { chosen, implied };
  // A new file has these rights without those that the user's umask takes away. A default access
  // list of the folder takes the place of the umask; it lets nobody else write. A file that
  // replaces another of this user keeps the rights of that one, without readers that `rights`
  // excludes. Throws CannotWrite, as write_whole does.
  explicit WholeFile(std::filesystem::path path, Name name = Name::implied, mode_t rights = 0644);
  // Removes the file if it was not committed.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  [[nodiscard]] std::ostream& out() { return out_; }
  // Throws CannotWrite unless all of it could be written.
  void commit();

 private:
  void open_part(const std::filesystem::path& place, mode_t rights);
  void open_itself(const std::filesystem::path& place);
  [[noreturn]] void refuse(std::string_view why) const;

  std::filesystem::path path_;
  int folder_ = -1;   // none where the file is written itself
  std::string name_;  // in the folder
  std::string part_;  // until it is whole
  std::ofstream out_;
  bool open_ = true;
};

// Writes the whole text at once.
void write_whole(const std::filesystem::path& path, std::string_view text,
                 WholeFile::Name name = WholeFile::Name::implied, mode_t rights = 0644);

}  // namespace rhizome::scenarios
