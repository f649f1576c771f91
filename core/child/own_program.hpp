// The files of the program that runs. In a folder where others may put files, one of theirs may
// have such a name.
#pragma once

#include <filesystem>
#include <string>

namespace rhizome::core {

// The file of this program, which that link leads to. A file that was replaced while the program
// ran has its successor there, unless that is a stranger's: it is neither of root, nor of this
// user, nor of who owns the file that runs.
[[nodiscard]] std::string program_file(const std::filesystem::path& self = "/proc/self/exe");

// The program that watches children, which is installed beside this one. Throws LimitExceeded where
// the link leads nowhere, as without /proc: in the present folder, anybody's program may have that
// name. Throws the same if the file is a stranger's.
[[nodiscard]] std::string warden_program(const std::filesystem::path& self = "/proc/self/exe");

}  // namespace rhizome::core
