// Standard streams and system limits at the start of a command: closed streams are opened, and
// limits that would end the command silently are detected.
#pragma once

#include <cstdint>
#include <optional>

namespace rhizome::tools {

// Opens standard input, output or error on the null device if it was closed at the start. Otherwise
// a file that is opened later would take its descriptor and be overwritten by accident. Writing to
// a standard output that was closed fails; messages to a closed standard error are lost.
void open_closed_streams();

// Ignores the signal for the limit of file sizes: the write then fails with an error that can be
// reported, where the system would end the command.
void outlive_full_files();

// Lets all signals through, and notices the end of children, whatever the process that began this
// command had blocked or ignored: else a service's or a script's SIGTERM would end nothing.
void hear_all_signals();

// Takes the right to write to files that this process and its children make away from all others,
// such as the group of a user whose umask is 002: runs are replayed by their files.
void keep_writing_to_user();

// The stack limit of a thread in KiB, if it is too small for any command: the system would end the
// command without a reason.
[[nodiscard]] std::optional<std::uint64_t> too_small_stack();
inline constexpr std::uint64_t least_stack = 256;  // KiB

// Whether all of standard output has been written. To be called at the end of the command, because
// the printed text is its result.
[[nodiscard]] bool output_is_written();

}  // namespace rhizome::tools
