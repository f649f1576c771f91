// What the control groups of this process leave to it, in version 1 and 2 of the kernel's
// interface.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace rhizome::core {

// The least of this process's group and of all that it is in; nothing where none sets a limit.
struct GroupLimits {
  std::optional<std::uint64_t> threads{};  // more, beside those that there are
  std::optional<std::uint64_t>
      memory{};  // more bytes; what the kernel can take back counts as free
};

// `root`: where the machine's files begin.
[[nodiscard]] GroupLimits group_limits(const std::filesystem::path& root = "/");

}  // namespace rhizome::core
