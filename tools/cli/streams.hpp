// The standard streams of the command.
#pragma once

namespace rhizome::tools {

// Whatever of standard input, output and error was closed at the start leads nowhere from now on,
// so that no file that is opened later takes its place and is written by accident. Nothing can be
// written to an output that was closed.
void open_closed_streams();

// Whoever may write no larger files is told so by the write, and can say it; the system would end
// the command instead.
void outlive_full_files();

// Whether all of standard output has been written. At the end of the command: what it printed is
// its result.
[[nodiscard]] bool output_is_written();

}  // namespace rhizome::tools
