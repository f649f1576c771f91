// The files of the program that runs. In a folder where others may put files, one of theirs may
// have such a name.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::core {

// The path of this program's file, which the link `self` leads to. If the file was replaced while
// the program ran, the path is that of its successor, provided that no other user could have put it
// there. Otherwise returns a path that no file can have.
[[nodiscard]] std::string program_file(const std::filesystem::path& self = "/proc/self/exe");

// The name of the program that watches children, which is installed beside this one. Throws
// LimitExceeded where the link leads nowhere, as without /proc: in the present folder, anybody's
// program may have that name.
[[nodiscard]] std::string warden_program(const std::filesystem::path& self = "/proc/self/exe");

// Opens that program once for this process, and returns a path by which the opened file can be
// executed, even if another file has taken its name. Throws LimitExceeded if it is missing, or
// belongs neither to root, nor to this user, nor to who owns the program that runs.
[[nodiscard]] std::string held_warden();
// Opens it anew; for the test of held_warden().
[[nodiscard]] int open_warden(const std::filesystem::path& self);

}  // namespace rhizome::core
