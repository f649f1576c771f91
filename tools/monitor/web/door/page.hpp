// The page: one document with its style and its script within, which asks no network for anything.
#pragma once

#include <string>
#include <string_view>

namespace rhizome::tools {

struct WebPage {
  std::string html;
  std::string policy;  // of its contents: what the browser may do with it
};
[[nodiscard]] const WebPage& web_page();

// What a browser is told to compare a script or a style with: "'sha256-...'".
[[nodiscard]] std::string hash_source(std::string_view text);

}  // namespace rhizome::tools
