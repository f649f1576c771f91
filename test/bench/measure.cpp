#include "test/bench/measure.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>

namespace rhizome::bench {

namespace {

std::int64_t nanoseconds_now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// Does not return: the process exits without destructors, whose time is not part of the
// measurement.
[[noreturn]] void run_and_report(const Run& run, const BenchLoad& load, int pipe_end) {
  try {
    const Measurement measured = run(load);
    const ssize_t written = write(pipe_end, &measured, sizeof measured);
    _exit(written == sizeof measured ? 0 : 1);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%u peers: %s\n", load.peers, problem.what());
    _exit(1);
  }
}

}  // namespace

std::optional<Measurement> in_child(const Run& run, const BenchLoad& load) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) run_and_report(run, load, ends[1]);
  close(ends[1]);
  Measurement measured;
  const ssize_t got = child > 0 ? read(ends[0], &measured, sizeof measured) : -1;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  if (got != sizeof measured) return {};
  return measured;
}

double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double pages = 0;
  in >> pages >> pages;  // the second number is the resident set
  return pages * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

Stopwatch::Stopwatch() : begin_(nanoseconds_now()) {}

double Stopwatch::seconds() const { return static_cast<double>(nanoseconds_now() - begin_) / 1e9; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

}  // namespace rhizome::bench
