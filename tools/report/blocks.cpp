#include "tools/report/blocks.hpp"

namespace rhizome::tools {

void add_line(Element page, const char* name, const std::string& text) {
  page.add(name).text(text);
  page.end_line();
}

void add_paragraph(Element page, const std::string& kind, const std::string& text) {
  page.add("p", {{"class", kind}}).text(text);
  page.end_line();
}

void add_figure(Element page, const Chart& chart) {
  if (chart.spec.is_null()) {
    add_paragraph(page, "soft", chart.caption);
    return;
  }
  Element figure = page.add("figure");
  figure.add("div", {{"class", "chart"}, {"id", chart.id}});
  figure.add("figcaption").text(chart.caption);
  page.end_line();
}

void add_titled_figure(Element page, const Chart& chart, Outline& outline) {
  Element block = page.add("div", {{"class", "drawn"}});
  outline.add(block, chart.title, true);
  add_figure(block, chart);
  page.end_line();
}

void add_details(Element page, const std::string& summary, const std::string& text) {
  Element details = page.add("details");
  details.add("summary").text(summary);
  details.add("pre").text(text);
  page.end_line();
}

}  // namespace rhizome::tools
