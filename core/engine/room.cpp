#include "core/engine/room.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <semaphore>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "core/engine/limits.hpp"

namespace rhizome::core {

namespace {

void check_descriptors(std::size_t needed) {
  std::vector<int> held;
  while (held.size() < needed) {
    const int next = eventfd(0, EFD_CLOEXEC);
    if (next < 0) break;
    held.push_back(next);
  }
  for (const int each : held) close(each);
  if (held.size() < needed) throw LimitExceeded("the system allows too few open files (ulimit -n)");
}

// Holds all threads at once, since one that has ended makes room for the next.
void check_threads(std::size_t needed) {
  std::counting_semaphore<> over(0);
  std::vector<std::jthread> held;
  std::string refusal;
  try {
    while (held.size() < needed) held.emplace_back([&] { over.acquire(); });
  } catch (const std::system_error& error) {
    refusal = std::string("the system allows no more threads: ") + error.what();
  }
  over.release(static_cast<std::ptrdiff_t>(held.size()));
  held.clear();
  if (!refusal.empty()) throw LimitExceeded(refusal);
}

}  // namespace

void check_room(const Room& needed) {
  check_descriptors(needed.descriptors);
  check_threads(needed.threads);
}

}  // namespace rhizome::core
