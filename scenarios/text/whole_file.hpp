// A file that is there whole or not at all: it is written under another name beside its place, and
// takes its name once all of it is on the disk. So a full disk leaves what was there before.
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

class WholeFile {
 public:
  // What exists and is no plain file, such as /dev/stdout or a pipe, is written itself.
  explicit WholeFile(std::filesystem::path path);
  // Takes back what was not committed.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  [[nodiscard]] std::ostream& out() { return out_; }
  // Throws CannotWrite unless all of it could be written.
  void commit();

 private:
  [[noreturn]] void refuse(std::string_view why) const;

  std::filesystem::path path_;
  std::filesystem::path part_;  // the same as the path where it is written itself
  std::ofstream out_;
  bool open_ = true;
};

// All of it at once.
void write_whole(const std::filesystem::path& path, std::string_view text);

// An empty file among the temporary ones, of a name that nobody can foresee, for this user alone;
// who made it removes it. Throws CannotWrite.
[[nodiscard]] std::filesystem::path make_temporary_file();

}  // namespace rhizome::scenarios
