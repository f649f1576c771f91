// Whole files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rhizome::scenarios {

// All that a file holds; nothing where there is none, or none that can be read.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& file);

}  // namespace rhizome::scenarios
