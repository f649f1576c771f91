// Folders that no other user can exchange for another, for what this process writes and then reads,
// or has a program read.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>

namespace rhizome::core {

// There is none; the text says why, and what would help.
class NoFolder : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The first folder on the way to that place in which another user could put something else in the
// place of what stands there; nothing where there is none.
[[nodiscard]] std::optional<std::filesystem::path> open_to_others(
    const std::filesystem::path& place);

// Of temporary files, as $TMPDIR says. Throws NoFolder where others could exchange them.
[[nodiscard]] std::filesystem::path temporary_folder();

// A folder that only this user enters, among the temporary files, under a name that nobody can
// foresee; gone at the end with all that is in it.
class OwnFolder {
 public:
  // Throws NoFolder.
  OwnFolder();
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rhizome::core
