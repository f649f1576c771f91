#include "scenarios/store/reading_limits.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

namespace rhizome::scenarios::reading_limits_test {

namespace {

constexpr std::uint64_t mebibyte = 1U << 20U;

// Whether so many bytes can be had.
bool takes(std::uint64_t bytes) {
  void* memory = std::malloc(bytes);
  std::free(memory);
  return memory != nullptr;
}

// The status of a child that does this, since limits are those of a process.
template <class Action>
int status_of(Action action) {
  const pid_t child = fork();
  if (child == 0) _exit(action());
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

void lack_memory() { throw std::bad_alloc(); }
void without_throwing(void (*action)()) noexcept { action(); }

}  // namespace

TEST_CASE("reading takes 512 MiB, and 40 bytes for each byte of what is read") {
  CHECK(status_of([] {
          if (!takes(600 * mebibyte)) return 9;
          extend_reading_limits(mebibyte);  // without effect before the limits begin
          limit_reading(7);
          if (reading_memory_limit().empty()) return 0;  // under a sanitizer
          if (takes(600 * mebibyte) || !takes(400 * mebibyte)) return 1;
          extend_reading_limits(4 * mebibyte);
          if (reading_memory_limit() != "672 MiB") return 2;
          return takes(600 * mebibyte) ? 0 : 3;
        }) == 0);
}

TEST_CASE("what lacks memory and may not throw ends with the status") {
  CHECK(status_of([] {
          limit_reading(7);
          without_throwing(lack_memory);
          return 0;
        }) == 7);
}

TEST_CASE("limits of the user that are stricter stay") {
  CHECK(status_of([] {
          const rlimit strict{.rlim_cur = 2, .rlim_max = RLIM_INFINITY};
          setrlimit(RLIMIT_CPU, &strict);
          limit_reading(7);
          extend_reading_limits(4 * mebibyte);
          rlimit now{};
          getrlimit(RLIMIT_CPU, &now);
          return now.rlim_cur == 2 ? 0 : 1;
        }) == 0);
}

TEST_CASE("without limits there is no limit of memory to tell") {
  CHECK(reading_memory_limit().empty());
}

}  // namespace rhizome::scenarios::reading_limits_test
