// The small parts that sections of a report are made of.
#pragma once

#include <string>

#include "tools/chart/chart.hpp"
#include "tools/markup/markup.hpp"

namespace rhizome::tools {

// An element of nothing but text, on a line of its own.
void add_line(Element page, const char* name, const std::string& text);

// A paragraph of a class of the style sheet: "soft", "bad".
void add_paragraph(Element page, const std::string& kind, const std::string& text);

// A place for a chart with its caption below it.
void add_figure(Element page, const Chart& chart);

// What is shown to whoever asks for it.
void add_details(Element page, const std::string& summary, const std::string& text);

}  // namespace rhizome::tools
