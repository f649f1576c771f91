// Texts from elsewhere in Markdown.
#include "tools/markup/markdown.hpp"

#include <doctest/doctest.h>

namespace rhizome::markdown_test {

TEST_CASE("a text from elsewhere makes no link, picture, code, tag or emphasis") {
  using tools::markdown_text;
  CHECK(markdown_text("organic-grid x_1 = 2") == "organic-grid x_1 = 2");
  CHECK(markdown_text("![x](http://h)") == "!\\[x\\](http://h)");
  CHECK(markdown_text("<script>`*\\&") == "\\<script\\>\\`\\*\\\\\\&");
  CHECK(markdown_text("one\n# two") == "one # two");
}

TEST_CASE("a row keeps its cells, and a head sets its first columns to the left") {
  CHECK(tools::markdown_row({"a|b", "c\nd"}) == "| a\\|b | c d |\n");
  CHECK(tools::markdown_head({"a", "b"}) == "| a | b |\n|---|---|\n");
  CHECK(tools::markdown_head({"a", "b"}, 1) == "| a | b |\n|---|---:|\n");
}

}  // namespace rhizome::markdown_test
