// The locks by which programs with SQLite keep others from a database ("File Locking And
// Concurrency" in its documentation, and its os.h).
#pragma once

#include <chrono>

#include "core/child/links.hpp"

namespace rhizome::scenarios {

// Keeps other processes from writing to the file until it is closed. Where a file system has no
// locks, SQLite does not write. Throws DatabaseLocked where another has the file for longer than
// `patience`.
void keep_from_writing(const core::Opened& file, std::chrono::milliseconds patience);

// A process that holds the reserved byte writes its journal, and does not write the file yet.
[[nodiscard]] bool is_being_written(const core::Opened& file);

}  // namespace rhizome::scenarios
