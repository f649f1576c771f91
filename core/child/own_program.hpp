// The files of the program that runs. In a folder where others may put files, one of theirs may
// have such a name.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::core {

// The file of this program, which that link leads to. A file that was replaced while the program
// ran has its successor there, if nobody else could have put it there. Else a name is returned that
// no file can have, and says so.
[[nodiscard]] std::string program_file(const std::filesystem::path& self = "/proc/self/exe");

// The name of the program that watches children, which is installed beside this one. Throws
// LimitExceeded where the link leads nowhere, as without /proc: in the present folder, anybody's
// program may have that name.
[[nodiscard]] std::string warden_program(const std::filesystem::path& self = "/proc/self/exe");

// That program, opened once: a name by which it can be begun, whoever has its own name by now.
// Throws LimitExceeded if it is missing, or belongs neither to root, nor to this user, nor to who
// owns the program that runs.
[[nodiscard]] std::string held_warden();
// Opens it anew; for the test of held_warden().
[[nodiscard]] int open_warden(const std::filesystem::path& self);

}  // namespace rhizome::core
