// HTML and SVG: escaping, closing of elements, and text that stays unchanged.
#include "tools/markup/markup.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace rhizome::tools::markup_test {

TEST_CASE("texts and attributes are shown as they were given") {
  const Markup page("p", {{"title", "a \"b\" <c>"}});
  page.root().text("<script> & b").end_line();
  CHECK(page.text() == "<p title=\"a &quot;b&quot; &lt;c&gt;\">&lt;script&gt; &amp; b\n</p>\n");
}

TEST_CASE("control characters are shown as C writes them, but tabs and ends of lines stay") {
  const Markup page("p", {{"title", "\x1b"}});
  page.root().text("]]>\x01\t\u20ac\n");
  CHECK(page.text() == "<p title=\"\\x1b\">]]&gt;\\x01\t\u20ac\n</p>\n");
}

TEST_CASE("an empty element is closed as HTML requires, and closes itself in a drawing") {
  const Markup page("body");
  page.root().add("br");
  page.root().add("div");
  page.root().add("svg").add("circle", {{"r", "1"}});
  CHECK(page.text() == "<body><br><div></div><svg><circle r=\"1\"/></svg></body>\n");
}

TEST_CASE("a program stays as it is, but cannot end its element") {
  const Markup page("body");
  page.root().add("script").text("if (a < b && c) x = \"</script>\";");
  CHECK(page.text() == "<body><script>if (a < b && c) x = \"<\\/script>\";</script></body>\n");
}

TEST_CASE("a stored drawing is embedded, and other text is refused") {
  const Markup page("figure");
  page.root().insert("<svg><title>a &lt; b</title></svg>");
  CHECK(page.text() == "<figure><svg><title>a &lt; b</title></svg></figure>\n");
  CHECK_THROWS_AS(page.root().insert("<svg>"), std::invalid_argument);
}

}  // namespace rhizome::tools::markup_test
