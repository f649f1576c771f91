#include "core/child/own_folder.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

constexpr const char* access_list = "system.posix_acl_access";
constexpr const char* default_list = "system.posix_acl_default";

// The group that most file systems give to a new file in the folder, or in one that is yet to be
// made there.
gid_t group_of_new(const fs::path& folder) {
  struct stat there {};
  fs::path place = fs::absolute(folder);
  while (stat(place.c_str(), &there) != 0 && place.has_relative_path()) place = place.parent_path();
  return (there.st_mode & S_ISGID) != 0 ? there.st_gid : getegid();
}

// Whether an access list names users or groups. The bits of its mask stand as those of the group.
bool has_access_list(const fs::path& path) {
  const ssize_t size = getxattr(path.c_str(), access_list, nullptr, 0);
  return size > 0 || (size < 0 && errno != ENODATA && errno != ENOTSUP);
}

// What the default access list of the folder leaves of the rights of a new file; nothing where it
// has none. Reads the form of Linux's acl(5): a version of 4 bytes, then entries of a tag, rights
// and an ID in 2, 2 and 4.
std::optional<mode_t> left_by_list(const fs::path& folder) {
  constexpr std::size_t head = 4;
  constexpr std::size_t entry = 8;
  enum Tag : unsigned char { its_group = 0x04, mask = 0x10, all_others = 0x20 };
  std::array<unsigned char, 65536> list{};
  const ssize_t size = getxattr(folder.c_str(), default_list, list.data(), list.size());
  if (size < static_cast<ssize_t>(head + entry)) return {};
  mode_t others = S_IRWXO;
  mode_t group = S_IRWXO;
  bool masked = false;
  for (std::size_t at = head; at + entry <= static_cast<std::size_t>(size); at += entry) {
    const mode_t rights = list[at + 2] & S_IRWXO;
    if (list[at] == all_others) others = rights;
    if (list[at] == mask || (list[at] == its_group && !masked)) group = rights;
    masked = masked || list[at] == mask;
  }
  return S_IRWXU | group << 3U | others;
}

struct Closed {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Whether no entry of a file of users or groups objects. False where there is none to be read.
template <class Next, class Check>
bool all_of(const char* file, Next next, Check check) {
  const std::unique_ptr<std::FILE, Closed> entries(std::fopen(file, "re"));
  if (!entries) return false;
  while (const auto* entry = next(entries.get()))
    if (!check(*entry)) return false;
  return true;
}

// The group of this user alone, if there is one. Services of a network need not tell who is in a
// group.
std::optional<gid_t> own_group() {
  std::string name;
  std::optional<gid_t> own;
  const auto find = [&](const passwd& user) {
    if (user.pw_uid == geteuid()) name = user.pw_name, own = user.pw_gid;
    return true;
  };
  bool named = false;
  const auto is_of_nobody_else = [&](const group& group) {
    if (group.gr_gid != own) return true;
    named = name == group.gr_name;
    bool alone = named;
    for (char** member = group.gr_mem; *member != nullptr; ++member) alone &= name == *member;
    return alone;
  };
  const auto has_another = [&](const passwd& user) {
    return user.pw_gid != own || user.pw_uid == geteuid();
  };
  const bool alone = all_of("/etc/passwd", fgetpwent, find) &&
                     all_of("/etc/passwd", fgetpwent, has_another) &&
                     all_of("/etc/group", fgetgrent, is_of_nobody_else);
  return alone && named ? own : std::nullopt;
}

bool others_write(const fs::path& folder, const struct stat& status) {
  static const std::optional<gid_t> own = own_group();
  return (status.st_mode & S_IWOTH) != 0 ||
         ((status.st_mode & S_IWGRP) != 0 && (status.st_gid != own || has_access_list(folder)));
}

bool is_trusted(uid_t owner) { return owner == 0 || owner == geteuid(); }

// A name without links: where one stands now, or nothing that can be looked at, it was exchanged
// since it was read, or may be somebody's a moment later.
bool can_be_exchanged_in(const fs::path& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) return true;
  const bool writable = others_write(folder, status) && (status.st_mode & S_ISVTX) == 0;
  return writable || !is_trusted(status.st_uid);
}

}  // namespace

mode_t rights_of(const Opened& file, const fs::path& folder) {
  const bool alike = file.group() == group_of_new(folder) && !has_access_list(file.path());
  const mode_t others = file.mode() & S_IRWXO;
  const mode_t group = file.mode() & S_IRWXG & (alike ? S_IRWXG : others << 3U);
  return (file.mode() & S_IRWXU) | group | others;
}

mode_t readers_of(const fs::path& file, const fs::path& folder) try {
  std::error_code error;
  if (fs::is_fifo(fs::status(file, error))) return S_IRWXU;
  mode_t readers = 0755;
  const auto look = [&](const fs::path& place, mode_t needed) {
    const Opened opened(place, O_PATH);
    const bool known = opened && !has_access_list(opened.path());
    const mode_t lacking = needed & ~(known ? rights_of(opened, folder) : 0);
    const bool of_group = (needed & opened.mode() & S_IRWXG) == 0;  // its members are no others
    if ((lacking & S_IRWXG) != 0) readers &= ~S_IRWXG;
    if ((lacking & S_IRWXO) != 0 || of_group) readers &= ~S_IRWXO;
  };
  look(led_to(file, [&](const fs::path& on_the_way) { look(on_the_way, S_IXGRP | S_IXOTH); }),
       S_IRGRP | S_IROTH);
  return readers;
} catch (const StrangeLink&) {
  return S_IRWXU;
}

mode_t without_umask(mode_t rights) {
  std::ifstream status("/proc/self/status");
  constexpr std::string_view key = "Umask:";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key))
      return rights & ~static_cast<mode_t>(std::stoul(line.substr(key.size()), nullptr, 8));
  return rights & S_IRWXU;
}

void give_rights(const Opened& made, mode_t rights, const fs::path& folder, Umask umask) {
  if (!made) return;
  const fs::path file = made.path();
  mode_t as_others = (rights & (S_IROTH | S_IXOTH)) << 3U;
  const auto left = umask == Umask::counts ? left_by_list(folder) : std::nullopt;
  if (umask == Umask::counts) rights &= left.value_or(without_umask(0777));
  // What all others were to read a list may keep to those whom it names. The bits of the group are
  // its mask: they have no more than these.
  if (!left) as_others &= rights << 3U;
  const bool foreseen = !has_access_list(file) && made.group() == group_of_new(folder);
  if (!foreseen) rights &= ~S_IRWXG | as_others;
  chmod(file.c_str(), rights | (made.mode() & S_ISGID));
}

bool others_may_write(const fs::path& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) != 0 || others_write(folder, status) ||
         !is_trusted(status.st_uid);
}

std::optional<fs::path> open_to_others(const fs::path& place) try {
  std::optional<fs::path> open;
  const auto look = [&](const fs::path& folder) {
    if (can_be_exchanged_in(folder)) open = folder;
  };
  static_cast<void>(led_to(place, look));
  return open;
} catch (const StrangeLink& link) {
  return link.at();
}

std::string why_open(const fs::path& open) {
  struct stat status {};
  if (stat(open.c_str(), &status) != 0)
    return open.string() + ": " + std::generic_category().message(errno);
  return "other users may exchange what stands in " + open.string();
}

fs::path temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error) throw NoFolder("there is no folder of temporary files: set TMPDIR to one");
  if (const auto open = open_to_others(folder / "file"))
    throw NoFolder(why_open(*open) + ": set TMPDIR to a directory of your own");
  return folder;
}

OwnFolder::OwnFolder() {
  const fs::path folder = temporary_folder();
  std::string name = (folder / "rhizome-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw NoFolder("cannot make a folder in " + folder.string() + ": " +
                   std::generic_category().message(errno));
  path_ = name;
}

OwnFolder::~OwnFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rhizome::core
