// Paths of the options of schedulers and protocols, as overrides and sweeps name them.
#pragma once

#include <optional>
#include <string_view>

namespace rhizome::scenarios {

// "LABEL.key" of "scheduler.LABEL.key" and of "protocol.LABEL.key"; nothing of any other path.
[[nodiscard]] inline std::optional<std::string_view> option_path(std::string_view path) {
  for (const std::string_view prefix : {"scheduler.", "protocol."})
    if (path.starts_with(prefix)) return path.substr(prefix.size());
  return {};
}

}  // namespace rhizome::scenarios
