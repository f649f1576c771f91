#include "core/engine/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace rhizome::core {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t spare_files = 128;           // the program's own
constexpr std::uint64_t spare_maps = 2048;           // libraries and the heap
constexpr std::uint64_t spare_threads = 256;         // the rest of the machine
constexpr std::uint64_t bytes_per_peer = 96 << 10U;  // resident, measured with room to grow

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

// The limit on tasks of the control group that this process is in (version 2 of cgroups).
std::uint64_t group_threads() {
  std::ifstream in("/proc/self/cgroup");
  std::string line;
  std::uint64_t least = number_in("/sys/fs/cgroup/pids.max", unlimited);
  while (std::getline(in, line))
    if (line.starts_with("0::"))
      least =
          std::min(least, number_in("/sys/fs/cgroup" + line.substr(3) + "/pids.max", unlimited));
  return least;
}

std::uint64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  std::string word;
  while (in >> word)
    if (word == "MemAvailable:") {
      std::uint64_t kibibytes = 0;
      in >> kibibytes;
      return kibibytes << 10U;
    }
  return unlimited * bytes_per_peer;
}

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
  static_cast<void>(setrlimit(RLIMIT_NOFILE, &limit));  // preflight reads what came of it
}

std::vector<Limit> machine_limits() {
  const std::uint64_t files = resource(RLIMIT_NOFILE);
  const std::uint64_t maps = number_in("/proc/sys/vm/max_map_count", unlimited);
  const std::uint64_t memory = available_memory();
  std::vector<Limit> limits{
      {"open files (ulimit -n)", files, less(files, spare_files)},
      {"vm.max_map_count", maps, less(maps, spare_maps) / 2},
      {"available memory in bytes", memory, memory / bytes_per_peer},
      {"ZeroMQ sockets of a context", 65535, 65535 - spare_threads},
      threads("kernel.threads-max", number_in("/proc/sys/kernel/threads-max", unlimited)),
      threads("kernel.pid_max", number_in("/proc/sys/kernel/pid_max", unlimited)),
      threads("tasks of the control group (pids.max)", group_threads()),
  };
  if (geteuid() != 0) limits.push_back(threads("processes (ulimit -u)", resource(RLIMIT_NPROC)));
  std::stable_sort(limits.begin(), limits.end(),
                   [](const Limit& a, const Limit& b) { return a.peers < b.peers; });
  return limits;
}

void preflight(std::uint32_t peers) {
  raise_limits();
  const Limit tightest = machine_limits().front();
  if (peers <= tightest.peers) return;
  throw LimitExceeded(
      std::to_string(peers) + " peer threads are more than this machine carries: " + tightest.name +
      " is " + std::to_string(tightest.value) + ", enough for " + std::to_string(tightest.peers) +
      " peers; raise it, use fewer peers, or run in virtual time");
}

bool descriptors_for_direct(std::uint32_t peers) {
  return 2 * std::uint64_t{peers} + spare_files <= resource(RLIMIT_NOFILE) && peers < 32000;
}

}  // namespace rhizome::core
