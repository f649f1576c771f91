// A mark in the lock file of a store: a program has opened the store, and has not ended in order.
// Only then are a journal, a log or waiting outcomes beside the store what that program has left.
// Others were laid there, as by an archive that was unpacked.
#pragma once

#include <filesystem>

namespace rhizome::scenarios {

// `lock`: the lock file, open for writing.
void mark_open(int lock);
void mark_closed(int lock);
// Returns false where there is no such file of this user's own.
[[nodiscard]] bool is_marked_open(const std::filesystem::path& lock);

}  // namespace rhizome::scenarios
