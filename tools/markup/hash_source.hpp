// The Content-Security-Policy of pages: how a browser knows a script or a style that belongs to
// them.
#pragma once

#include <string>
#include <string_view>

namespace rhizome::tools {

// What a browser is told to compare a script or a style with: "'sha256-...'".
[[nodiscard]] std::string hash_source(std::string_view text);

}  // namespace rhizome::tools
