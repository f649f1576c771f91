#include "core/engine/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace rhizome::core {

namespace {

namespace fs = std::filesystem;

// Version 1 reports a larger number where no limit is set: the most that fits, less a page.
constexpr std::uint64_t beyond_all = std::uint64_t{1} << 62U;

// Nothing where there is no such file, or no number in it ("max").
std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  if (in >> value && value < beyond_all) return value;
  return {};
}

// The number after a word in a file of pairs of both; 0 where the word is missing.
std::uint64_t number_after(const fs::path& path, std::string_view word) {
  std::ifstream in(path);
  std::string key;
  for (std::uint64_t value = 0; in >> key >> value;)
    if (key == word) return value;
  return 0;
}

// How a version of control groups names the files for a resource.
struct Names {
  const char* most;
  const char* used;
  const char* statistics;   // none: nullptr
  const char* reclaimable;  // a word in the statistics
};
constexpr Names of_threads{"pids.max", "pids.current", nullptr, ""};
constexpr Names of_memory_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat",
                            "total_inactive_file"};
constexpr Names of_memory_2{"memory.max", "memory.current", "memory.stat", "inactive_file"};

// How much a group leaves of a resource.
std::optional<std::uint64_t> left_in(const fs::path& group, const Names& names) {
  const auto most = number_in(group / names.most);
  if (!most) return {};
  const std::uint64_t used = number_in(group / names.used).value_or(0);
  const std::uint64_t back =
      names.statistics == nullptr ? 0 : number_after(group / names.statistics, names.reclaimable);
  const std::uint64_t held = used - std::min(used, back);
  return *most - std::min(*most, held);
}

// Lowers `least` to what a group leaves, and each group that contains it up to the mount point. In
// a container the path may begin outside: groups of it that do not exist here are skipped.
void lower(std::optional<std::uint64_t>& least, const fs::path& mount, fs::path group,
           const Names& names) {
  for (;; group = group.parent_path()) {
    const auto left = left_in(mount / group.relative_path(), names);
    if (left && (!least || *left < *least)) least = left;
    if (!group.has_relative_path()) return;
  }
}

}  // namespace

GroupLimits group_limits(const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  GroupLimits limits;
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controller = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controller == "pids") lower(limits.threads, mounts / "pids", group, of_threads);
    if (controller == "memory") lower(limits.memory, mounts / "memory", group, of_memory_1);
    if (!controller.empty()) continue;
    for (const fs::path& unified : {mounts, mounts / "unified"}) {
      lower(limits.threads, unified, group, of_threads);
      lower(limits.memory, unified, group, of_memory_2);
    }
  }
  return limits;
}

}  // namespace rhizome::core
