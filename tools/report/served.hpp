// A report of what a server has done for the jobs of a span of time. It is made from the store of
// the jobs, and so can be made while the run is under way.
#pragma once

#include <string>
#include <vector>

#include "tools/names.hpp"
#include "tools/report/document.hpp"
#include "tools/serve/served_run.hpp"
#include "tools/serve/served_span.hpp"

namespace rhizome::tools {

struct ServedReport {
  std::string directory;  // the name of the run directory
  std::string scenario;   // its name
  ServedRun by;
  TimeSpan span;
  Moment now;  // when the store was read
  ServedSpan served;
};

// The charts that the page shows, in its order, for SVG files.
[[nodiscard]] std::vector<Chart> served_charts(const ServedReport& report);

[[nodiscard]] std::string served_page(const ServedReport& report, const PageLibrary& library);

// In UTC, as "2026-01-31T12:00:00Z", with a fraction if there is one.
[[nodiscard]] std::string moment_text(Moment moment);

}  // namespace rhizome::tools
