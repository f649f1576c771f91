// Folders that no other user can replace, for files that this process writes and that it or another
// program reads.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/child/links.hpp"

namespace rhizome::core {

// There is no such folder; the text says why, and what would help.
class NoFolder : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The rights of a file that a new one in the folder can have without opening more to anyone: those
// of its group that not all others have only if the new one has the same group, and no access list
// makes them a mask. A folder that is not there will be as the one in which it is made.
[[nodiscard]] mode_t rights_of(const Opened& file, const std::filesystem::path& folder);

// The rights of a new folder in `folder` that lets in only those who can read the file by its name.
// They are 0755, without those of the group or of all others where the file, or a folder on the way
// to it, keeps any of them out. An access list may keep out anybody. A pipe is read by this user
// alone, so that the rights are 0700.
[[nodiscard]] mode_t readers_of(const std::filesystem::path& file,
                                const std::filesystem::path& folder);

// Those of the rights that the user's umask does not take away.
[[nodiscard]] mode_t without_umask(mode_t rights);

// Whether the umask limits the rights of a new file.
enum class Umask { counts, ignored };

// Gives rights to a file or folder in `folder` that was made with rights for its user alone:
// another user who opened it earlier could read all that is written later. A group other than the
// one that rights_of() expected gets no more rights than all others, and may not write; nor does
// anyone whom an access list names that the file inherited from the folder. A default access list
// of the folder takes the place of the umask, as where the kernel makes a file.
void give_rights(const Opened& made, mode_t rights, const std::filesystem::path& folder,
                 Umask umask);

// Whether another user may put files into the folder, be it by an access list, or is its owner, or
// the folder cannot be looked at. The group that many systems make for each user, of the same name
// and in /etc/group without other members, is this user. Access lists of NFSv4 and of CIFS cannot
// be seen.
[[nodiscard]] bool others_may_write(const std::filesystem::path& folder);

// Checks each folder in which a name on the way to the place stands, also where links lead: returns
// the last one whose entries another user could replace, or another user's link, or a folder that
// is not there, since another user may make it; or nothing.
[[nodiscard]] std::optional<std::filesystem::path> open_to_others(
    const std::filesystem::path& place);
// Says what is wrong with a folder that open_to_others() has returned.
[[nodiscard]] std::string why_open(const std::filesystem::path& open);

// The folder of temporary files, $TMPDIR or /tmp. Throws NoFolder if other users could replace
// files in it.
[[nodiscard]] std::filesystem::path temporary_folder();

// A temporary folder with an unpredictable name that only this user can enter. The destructor
// removes it with its content.
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
