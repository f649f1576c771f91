#include "scenarios/store/reading_limits.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>
#include <new>
#include <string_view>

namespace rhizome::scenarios {

namespace {

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t mebibyte = 1U << 20U;
// A sanitizer reserves more memory than any machine has; that of its program cannot be limited.
constexpr std::uint64_t reserved = std::uint64_t{1} << 40U;

struct Limits : ReadingLimits {
  std::uint64_t before = none;        // bytes of memory at the beginning; none: not limited
  rlim_t own_memory = RLIM_INFINITY;  // the user's own limits, which may be stricter
  rlim_t own_seconds = RLIM_INFINITY;
  int status = 0;
  std::terminate_handler terminate = nullptr;  // of all other errors
  bool begun = false;
};
Limits& limits() {
  static Limits limits;
  return limits;
}

// Private memory that can be written, which is what RLIMIT_DATA counts.
std::uint64_t memory_now() {
  std::ifstream status("/proc/self/status");
  constexpr std::string_view key = "VmData:";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return std::stoull(line.substr(key.size())) << 10U;
  return none;
}

using Kind = decltype(RLIMIT_DATA);

rlim_t own_limit(Kind kind) {
  rlimit limit{};
  return getrlimit(kind, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

void limit(Kind kind, std::uint64_t value, rlim_t own) {
  rlimit limit{};
  if (getrlimit(kind, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(value, own);
  setrlimit(kind, &limit);  // without it the known ways are refused still
}

void apply() {
  const Limits& all = limits();
  if (all.before != none) limit(RLIMIT_DATA, all.before + all.memory, all.own_memory);
  limit(RLIMIT_CPU, all.seconds, all.own_seconds);
}

[[noreturn]] void end_with(std::string_view text) {
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  _exit(limits().status);
}

void end_for_time(int) {
  end_with(
      "rhizome: error: this takes more time than its files explain: --trusted lifts the limit\n");
}

// A destructor that lacks memory cannot throw.
void end_for_memory() {
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    end_with(
        "rhizome: error: this takes more memory than its files explain: --trusted lifts the "
        "limit\n");
  } catch (...) {
    limits().terminate();
  }
  std::abort();
}

}  // namespace

void limit_reading(int status, const ReadingLimits& first) {
  const std::uint64_t now = memory_now();
  limits() = {first,
              now < reserved ? now : none,
              own_limit(RLIMIT_DATA),
              own_limit(RLIMIT_CPU),
              status,
              std::set_terminate(end_for_memory),
              true};
  std::signal(SIGXCPU, end_for_time);
  apply();
}

void extend_reading_limits(std::uint64_t bytes) {
  if (!limits().begun) return;
  bytes = std::min(bytes, reserved);
  limits().memory += reading_memory_per_byte * bytes;
  limits().seconds += reading_seconds_per_mib * bytes / mebibyte;
  apply();
}

std::string reading_memory_limit() {
  if (limits().before == none) return {};
  return fmt::format("{} MiB", limits().memory / mebibyte);
}

}  // namespace rhizome::scenarios
