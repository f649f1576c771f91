// The files and the directory of a child process, in folders where other users may put some.
#pragma once

namespace rhizome::core {

// Opens a file, or makes one where it is to be written (O_WRONLY); O_CLOEXEC is added. Returns -1
// and sets errno where it cannot, or where another user has put it there to read or change what is
// written, or to let the child wait: EACCES for a file or a pipe, ELOOP for a link.
// Unless it is to be `plain`, links of this user are followed, and pipes of theirs are opened. A
// plain file is written in a folder of this user alone.
[[nodiscard]] int open_child_file(const char* file, int flags, bool plain);

}  // namespace rhizome::core
