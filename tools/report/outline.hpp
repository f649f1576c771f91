// The headings of a page, which are its contents list as well.
#pragma once

#include <string>

#include "tools/markup/markup.hpp"

namespace rhizome::tools {

class Outline {
 public:
  // `list` is an element of the page that stands before all headings; ids begin with `prefix`.
  Outline(Element list, std::string prefix) : list_(list), prefix_(std::move(prefix)) {}

  // A heading of the second rank; with `drawn`, one that goes where no charts are drawn.
  void add(Element page, const std::string& text, bool drawn = false) {
    const std::string id = prefix_ + "part" + std::to_string(++count_);
    page.add("h2", {{"id", id}}).text(text);
    page.end_line();
    Element item = drawn ? list_.add("li", {{"class", "drawn"}}) : list_.add("li");
    item.add("a", {{"href", "#" + id}}).text(text);
    list_.end_line();
  }

 private:
  Element list_;
  std::string prefix_;
  std::size_t count_ = 0;
};

}  // namespace rhizome::tools
