// The building blocks that the sections of a report share.
#pragma once

#include <string>
#include <utility>

#include "tools/chart/chart.hpp"
#include "tools/markup/markup.hpp"

namespace rhizome::tools {

// The headings of a page, which are its contents list as well.
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

// An element that contains only text, on a line of its own.
void add_line(Element page, const char* name, const std::string& text);

// A paragraph with a class of the style sheet, such as "soft" or "bad".
void add_paragraph(Element page, const std::string& kind, const std::string& text);

// A placeholder for a chart, with its caption below.
void add_figure(Element page, const Chart& chart);

// A chart under its title; both are hidden where nothing is drawn.
void add_titled_figure(Element page, const Chart& chart, Outline& outline);

// Text that a reader must unfold to see.
void add_details(Element page, const std::string& summary, const std::string& text);

}  // namespace rhizome::tools
