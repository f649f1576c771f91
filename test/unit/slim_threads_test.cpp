#include "core/engine/slim_threads.hpp"

#include <doctest/doctest.h>
#include <pthread.h>

#include <cstddef>

namespace rhizome::core::slim_threads_test {

// How many bytes of its stack a thread has used before its task begins: the thread-local memory of
// all libraries that the program is linked with is there, too, and is set to zero for each thread.
std::size_t used_at_start() {
  pthread_attr_t attributes{};
  void* lowest = nullptr;
  std::size_t size = 0;
  const char here = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return size;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return static_cast<std::size_t>(static_cast<const char*>(lowest) + size - &here);
}

// Sanitizers have large thread-local memory of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a thread begins with less than three pages of memory in use") {
  std::size_t used = 0;
  SlimThreads threads(std::size_t{128} << 10U);
  REQUIRE(threads.start([&used] { used = used_at_start(); }) == 0);
  threads.join();
  CHECK(used > 0);
  CHECK(used < 3 * 4096);
}
#endif

}  // namespace rhizome::core::slim_threads_test
