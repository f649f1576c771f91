// The pages: each is one document with its style and its script within, and asks no network for
// anything.
#pragma once

#include <string>

namespace rhizome::tools {

struct WebPage {
  std::string html;
  std::string policy;  // content security policy for the browser
};
// The page of a run.
[[nodiscard]] const WebPage& web_page();
// The page of a server of jobs.
[[nodiscard]] const WebPage& jobs_page();

}  // namespace rhizome::tools
