// The pages: each is one document with its style and its script within, and asks no network for
// anything.
#pragma once

#include <string>

namespace rhizome::tools {

struct WebPage {
  std::string html;
  std::string policy;  // of its contents: what the browser may do with it
};
// Of a run.
[[nodiscard]] const WebPage& web_page();
// Of a server of jobs.
[[nodiscard]] const WebPage& jobs_page();

}  // namespace rhizome::tools
