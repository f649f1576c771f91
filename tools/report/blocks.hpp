// The building blocks that the sections of a report share.
#pragma once

#include <string>

#include "tools/chart/chart.hpp"
#include "tools/markup/markup.hpp"
#include "tools/report/outline.hpp"

namespace rhizome::tools {

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
