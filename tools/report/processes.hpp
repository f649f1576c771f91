// The processes that did the runs of a report together, as a part of it: their round trips, and the
// accuracy of their clocks.
#pragma once

#include "scenarios/store/record.hpp"
#include "tools/markup/markup.hpp"
#include "tools/report/outline.hpp"

namespace rhizome::tools {

// Nothing where one process did all.
void add_processes(Element page, const scenarios::RunRecord& record, Outline& outline);

}  // namespace rhizome::tools
