#include "core/engine/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

namespace rhizome::core {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t spare_files = 128;           // the program's own
constexpr std::uint64_t files_per_link = 6;          // its connection, and the ends of its queues
constexpr std::uint64_t spare_maps = 2048;           // libraries and the heap
constexpr std::uint64_t spare_threads = 256;         // the rest of the machine
constexpr std::uint64_t bytes_per_peer = 96 << 10U;  // resident, measured with room to grow
constexpr std::uint64_t space_per_peer = bytes_per_peer + (192 << 10U);  // with its stack
// jemalloc takes address space in large pieces for four arenas of every core, and crashes in a new
// thread for which it finds none.
constexpr std::uint64_t spare_space = 32U << 20U;
constexpr std::uint64_t spare_space_per_core = 16U << 20U;

// The number in a file of the kernel, or `otherwise` where it has none ("max") or does not exist.
std::uint64_t number_in(const std::string& path, std::uint64_t otherwise) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  return in >> value ? value : otherwise;
}

std::uint64_t less(std::uint64_t value, std::uint64_t spare) {
  return value > spare ? value - spare : 0;
}

std::uint64_t resource(decltype(RLIMIT_NOFILE) kind) {
  rlimit limit{};
  if (getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  return limit.rlim_cur;
}

// The kernel's number for that word about the machine's memory, in bytes.
std::uint64_t memory_said(const std::string& sought, std::uint64_t otherwise) {
  std::ifstream in("/proc/meminfo");
  std::string word;
  while (in >> word)
    if (word == sought) {
      std::uint64_t kibibytes = 0;
      in >> kibibytes;
      return kibibytes << 10U;
    }
  return otherwise;
}

std::uint64_t available_memory() {
  return memory_said("MemAvailable:", unlimited * bytes_per_peer);
}

// The memory of this process that is resident, in bytes.
std::uint64_t resident() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t pages = 0;
  in >> pages >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// The remaining address space, in which each peer has its stack and its memory.
std::uint64_t address_space_left() {
  const std::uint64_t limit = resource(RLIMIT_AS);
  if (limit == unlimited) return unlimited * bytes_per_peer;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return less(limit, number_in("/proc/self/statm", 0) * page);
}

std::uint64_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

std::uint64_t files_taken(std::uint32_t links) { return spare_files + files_per_link * links; }

Limit threads(std::string name, std::uint64_t value) {
  return {std::move(name), value, less(value, spare_threads)};
}

}  // namespace

void raise_limits() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  // Only the privileged may raise the hard limit; all may raise the soft one to it.
  const rlim_t most = number_in("/proc/sys/fs/nr_open", limit.rlim_max);
  const rlimit wished{.rlim_cur = most, .rlim_max = std::max(most, limit.rlim_max)};
  if (setrlimit(RLIMIT_NOFILE, &wished) == 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(setrlimit(RLIMIT_NOFILE, &limit));  // preflight reads the limit that results
}

std::vector<Limit> machine_limits(std::uint32_t links) {
  const std::uint64_t files = resource(RLIMIT_NOFILE);
  const std::uint64_t maps = number_in("/proc/sys/vm/max_map_count", unlimited);
  const std::uint64_t memory = available_memory();
  std::vector<Limit> limits{
      {"open files (ulimit -n)", files, less(files, files_taken(links))},
      {"vm.max_map_count", maps, less(maps, spare_maps) / 2},
      {"available memory in bytes", memory, memory / bytes_per_peer},
      {"ZeroMQ sockets of a context", 65535, 65535 - spare_threads},
      threads("kernel.threads-max", number_in("/proc/sys/kernel/threads-max", unlimited)),
      threads("kernel.pid_max", number_in("/proc/sys/kernel/pid_max", unlimited)),
  };
  const GroupLimits group = group_limits();
  if (group.threads)
    limits.push_back(
        {"tasks left to the control group (pids.max)", *group.threads, less(*group.threads, 16)});
  if (group.memory)
    limits.push_back(
        {"memory left to the control group", *group.memory, *group.memory / bytes_per_peer});
  const std::uint64_t space = address_space_left();
  if (space < unlimited * bytes_per_peer)
    limits.push_back({"address space left (ulimit -v)", space,
                      less(space, spare_space + cores() * spare_space_per_core) / space_per_peer});
  if (geteuid() != 0) limits.push_back(threads("processes (ulimit -u)", resource(RLIMIT_NPROC)));
  std::stable_sort(limits.begin(), limits.end(),
                   [](const Limit& a, const Limit& b) { return a.peers < b.peers; });
  return limits;
}

MemoryRoom memory_room() {
  const std::uint64_t taken = resident();
  const std::uint64_t beside = memory_said("SwapFree:", 0) + taken;
  MemoryRoom least{"the available memory", available_memory() + beside, taken};
  const auto lower = [&least](const char* name, std::uint64_t bytes) {
    if (bytes < least.bytes) least = {name, bytes, least.taken};
  };
  if (const auto group = group_limits().memory)
    lower("the memory left to the control group", *group + beside);
  if (const std::uint64_t space = resource(RLIMIT_AS); space != unlimited)
    lower("the address space (ulimit -v)", space);
  return least;
}

void preflight(const Footprint& footprint) {
  raise_limits();
  const Limit tightest = machine_limits(footprint.links).front();
  if (footprint.peers <= tightest.peers) return;
  throw LimitExceeded(std::to_string(footprint.peers) +
                      " peer threads are more than this machine carries: " + tightest.name +
                      " is " + std::to_string(tightest.value) + ", enough for " +
                      std::to_string(tightest.peers) +
                      " peers; raise it, use fewer peers, or run in virtual time");
}

std::uint64_t spare_descriptors(const Footprint& footprint) {
  constexpr std::uint64_t files_per_peer = 6;  // two of its own, and four lines to its child
  raise_limits();
  return less(resource(RLIMIT_NOFILE),
              files_per_peer * footprint.peers + files_taken(footprint.links));
}

bool descriptors_for_direct(const Footprint& footprint) {
  return 2 * std::uint64_t{footprint.peers} + files_taken(footprint.links) <=
             resource(RLIMIT_NOFILE) &&
         footprint.peers < 32000;
}

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
