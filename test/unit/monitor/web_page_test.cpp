#include <doctest/doctest.h>

#include "tools/markup/hash_source.hpp"

#include <string>

#include "tools/carried.hpp"
#include "tools/monitor/web/door/page.hpp"

namespace rhizome::web_page_test {

using tools::hash_source;
using tools::web_page;

namespace {

std::string within(const std::string& element) {
  const std::string& html = web_page().html;
  const std::size_t begin = html.find("<" + element + ">") + element.size() + 2;
  return html.substr(begin, html.find("</" + element + ">", begin) - begin);
}

}  // namespace

TEST_CASE("the browser is told hashes of the very script and style that the page has") {
  CHECK(hash_source("alert(1)") == "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='");
  const std::string& policy = web_page().policy;
  CHECK(policy.find("script-src " + hash_source(within("script")) + ";") != std::string::npos);
  CHECK(policy.find("style-src " + hash_source(within("style")) + ";") != std::string::npos);
  CHECK(within("script").find(tools::carried_file("web/codec.js")) != std::string::npos);
  CHECK(within("script").find(tools::carried_file("web/page.js")) != std::string::npos);
  CHECK(within("style") == tools::carried_file("web/page.css"));
}

TEST_CASE("the page may do nothing but run its script and ask this server") {
  const std::string& policy = web_page().policy;
  CHECK(policy.starts_with("default-src 'none';"));
  CHECK(policy.find("frame-ancestors 'none'") != std::string::npos);
  CHECK(policy.find("unsafe") == std::string::npos);
  CHECK(policy.find("http") == std::string::npos);
}

TEST_CASE("no text of a run can become an element of the page") {
  for (const std::string way : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
                                "eval(", "new Function", "setAttribute('on", "http://", "https://"})
    CHECK(within("script").find(way) == std::string::npos);
}

}  // namespace rhizome::web_page_test
