// What there is to say of every metric, for people.
#pragma once

#include <string>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::tools {

// Name, unit, which way is better and definition.
[[nodiscard]] std::string text_of(const scenarios::Metric& metric);

// The same as a row of a table in Markdown: name, unit, which way is better, definition.
[[nodiscard]] std::string markdown_row_of(const scenarios::Metric& metric);

// The same for programs.
[[nodiscard]] scenarios::Json data_of(const scenarios::Metric& metric);

// The metric of that name. Throws UsageError with the nearest name when there is none.
[[nodiscard]] const scenarios::Metric& metric_called(const std::string& name);

}  // namespace rhizome::tools
