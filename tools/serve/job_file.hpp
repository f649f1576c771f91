// The file of a store of jobs: how it is opened, so that it is no other program's and no other
// user's.
#pragma once

#include <cstdint>
#include <filesystem>

#include "scenarios/store/database.hpp"

namespace rhizome::tools {

// Throws core::NoFolder if other users could exchange the store, or a file beside it, for any other
// one, or put another file beside it. Of this user's own files, the address of a server that has
// ended would do: the token would go to whoever has its port now.
void check_place(const std::filesystem::path& store);

// Takes all rights of others away from a file or folder that may have been there already.
void keep_to_the_user(const std::filesystem::path& path);

// Opens a file that belongs to this user; a new or empty one is readable by this user only. In a
// directory that others may write to, the path could be another user's file, or a link to another
// file of this user. Returns its descriptor. Throws scenarios::CannotWrite.
[[nodiscard]] int open_own(const std::filesystem::path& file);

// The store in the file, which is made if it is not there. `most_bytes`: its maximum size; 0: as
// much as the disk has. Throws scenarios::CannotWrite.
[[nodiscard]] scenarios::Database open_jobs_to_write(const std::filesystem::path& file,
                                                     std::uint64_t most_bytes);
// To read it only, also while a server uses it: the file is not written. Throws
// scenarios::UnreadableFile.
[[nodiscard]] scenarios::Database open_jobs_to_read(const std::filesystem::path& file);

}  // namespace rhizome::tools
