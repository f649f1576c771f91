// The fates of tasks, scheduler beside scheduler, as a part of a report.
#pragma once

#include <span>

#include "tools/markup/markup.hpp"
#include "tools/report/material.hpp"

namespace rhizome::tools {

void add_fates(Element page, std::span<const Contestant> contestants);

}  // namespace rhizome::tools
