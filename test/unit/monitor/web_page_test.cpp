#include <doctest/doctest.h>

#include "tools/markup/hash_source.hpp"

#include <string>
#include <vector>

#include "tools/carried.hpp"
#include "tools/monitor/web/door/page.hpp"

namespace rhizome::web_page_test {

using tools::hash_source;
using tools::web_page;

namespace {

std::string within(const tools::WebPage& page, const std::string& element) {
  const std::string& html = page.html;
  const std::size_t begin = html.find("<" + element + ">") + element.size() + 2;
  return html.substr(begin, html.find("</" + element + ">", begin) - begin);
}

const std::vector<const tools::WebPage*> all_pages{&web_page(), &tools::jobs_page()};

}  // namespace

TEST_CASE("the browser is told hashes of the very script and style that a page has") {
  CHECK(hash_source("alert(1)") == "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='");
  for (const tools::WebPage* page : all_pages) {
    const std::string script = within(*page, "script");
    const std::string style = within(*page, "style");
    CHECK(page->policy.find("script-src " + hash_source(script) + ";") != std::string::npos);
    CHECK(page->policy.find("style-src " + hash_source(style) + ";") != std::string::npos);
    CHECK(script.find(tools::carried_file("web/token.js")) != std::string::npos);
    CHECK(style.starts_with(tools::carried_file("web/page.css")));
  }
  CHECK(within(web_page(), "script").find(tools::carried_file("web/page.js")) != std::string::npos);
  CHECK(within(tools::jobs_page(), "script").find(tools::carried_file("web/jobs.js")) !=
        std::string::npos);
}

TEST_CASE("a page may do nothing but run its script and ask this server") {
  for (const tools::WebPage* page : all_pages) {
    CHECK(page->policy.starts_with("default-src 'none';"));
    CHECK(page->policy.find("frame-ancestors 'none'") != std::string::npos);
    CHECK(page->policy.find("unsafe") == std::string::npos);
    CHECK(page->policy.find("http") == std::string::npos);
  }
}

TEST_CASE("no text of a run or a job can become an element of a page") {
  for (const tools::WebPage* page : all_pages)
    for (const std::string way :
         {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
          "setAttribute('on", "http://", "https://"})
      CHECK(within(*page, "script").find(way) == std::string::npos);
}

}  // namespace rhizome::web_page_test
