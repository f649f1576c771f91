// The page: one document with its style and its script within, which asks no network for anything.
#pragma once

#include <string>

namespace rhizome::tools {

struct WebPage {
  std::string html;
  std::string policy;  // of its contents: what the browser may do with it
};
[[nodiscard]] const WebPage& web_page();

}  // namespace rhizome::tools
