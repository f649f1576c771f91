// The Content-Security-Policy of pages: how a browser knows a script or a style that belongs to
// them.
#pragma once

#include <string>
#include <string_view>

namespace rhizome::tools {

// The hash source of a script or a style for a content security policy: "'sha256-...'".
[[nodiscard]] std::string hash_source(std::string_view text);

}  // namespace rhizome::tools
