// Slim threads: threads with stacks of a chosen size, which the standard library cannot start; and
// memory in small pages for thousands of them.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace rhizome::core {

// The caller either joins or detaches the threads before this object goes. Tasks must not throw.
class SlimThreads {
 public:
  // The stack of each thread; under a sanitizer, which needs deeper ones than the program, a
  // multiple of it.
  explicit SlimThreads(std::size_t stack_bytes);
  ~SlimThreads();
  SlimThreads(const SlimThreads&) = delete;
  SlimThreads& operator=(const SlimThreads&) = delete;

  // Starts one more thread. Returns 0, or the error for which the system refused to; it throws
  // nothing, for threads that have started may use what the caller would take down.
  [[nodiscard]] int start(std::function<void()> task);
  void join();
  void detach();

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(threads_.size()); }

 private:
  static void* run(void* task);

  pthread_attr_t attributes_{};
  std::vector<pthread_t> threads_;
};

// Small pages: a run on threads has its memory in pages of the usual size. Each of thousands of
// threads soon touches memory of its own, here and there, and of huge pages each touch would let
// the system clear two megabytes while all others wait for the processor: with 10,000 peers that
// was four fifths of all time, and twice the memory.
// While an object of this class lives, the process gets no new huge pages, whatever its allocator
// asks for; pages it has already stay. Lifetimes may overlap, in any order.
class SmallPages {
 public:
  SmallPages();
  ~SmallPages();
  SmallPages(const SmallPages&) = delete;
  SmallPages& operator=(const SmallPages&) = delete;
};

}  // namespace rhizome::core
