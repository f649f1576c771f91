// The worker of a node: does the work that a server sends it (lines.hpp), until the server orders
// its end, closes the connection, or is silent for too long.
#pragma once

#include <string>

namespace rhizome::tools {

// Reads orders from one descriptor and writes answers to the other. Returns the reason of its end:
// "" if the server ordered it. No process of the work is left then.
[[nodiscard]] std::string work_for_server(int in, int out);

}  // namespace rhizome::tools
