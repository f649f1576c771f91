// What the system gives the command before it begins: standard streams, and limits that it must not
// run into without a word.
#pragma once

#include <cstdint>
#include <optional>

namespace rhizome::tools {

// Whatever of standard input, output and error was closed at the start leads nowhere from now on,
// so that no file that is opened later takes its place and is written by accident. Nothing can be
// written to an output that was closed.
void open_closed_streams();

// Whoever may write no larger files is told so by the write, and can say it; the system would end
// the command instead.
void outlive_full_files();

// How many KiB the stack of a thread may have, where that is too little for any command: it would
// be ended without a reason.
[[nodiscard]] std::optional<std::uint64_t> too_small_stack();
inline constexpr std::uint64_t least_stack = 256;  // KiB

// Whether all of standard output has been written. At the end of the command: what it printed is
// its result.
[[nodiscard]] bool output_is_written();

}  // namespace rhizome::tools
