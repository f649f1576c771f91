// Options that are durations.
#pragma once

#include <optional>
#include <string>

#include "core/peer/time.hpp"
#include "scenarios/text/duration_text.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// Nothing where the option is not given. Throws UsageError unless it is a duration of more than 0.
[[nodiscard]] inline std::optional<core::Duration> duration_in(const Arguments& arguments,
                                                               const std::string& name) {
  const auto text = arguments.text(name);
  if (!text) return {};
  const auto duration = scenarios::parse_duration(*text);
  if (duration && *duration > core::Duration::zero()) return duration;
  throw UsageError("--" + name + " is a duration such as 90s, 10min or 30d, and not \"" + *text +
                   "\"");
}

}  // namespace rhizome::tools
