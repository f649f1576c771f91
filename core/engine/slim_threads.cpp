#include "core/engine/slim_threads.hpp"

#include <sys/prctl.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace rhizome::core {

namespace {

constexpr std::size_t stack_factor() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 8;
#else
  return 1;
#endif
}

}  // namespace

SlimThreads::SlimThreads(std::size_t stack_bytes) {
  pthread_attr_init(&attributes_);
  pthread_attr_setstacksize(&attributes_, stack_bytes * stack_factor());
}

SlimThreads::~SlimThreads() { pthread_attr_destroy(&attributes_); }

// The task is freed by its own thread.
int SlimThreads::start(std::function<void()> task) try {
  auto mine = std::make_unique<std::function<void()>>(std::move(task));
  pthread_t& thread = threads_.emplace_back();  // a thread that is not counted would not be joined
  const int error = pthread_create(&thread, &attributes_, &run, mine.get());
  if (error == 0)
    static_cast<void>(mine.release());
  else
    threads_.pop_back();
  return error;
} catch (const std::bad_alloc&) {
  return ENOMEM;
}

void* SlimThreads::run(void* task) {
  const std::unique_ptr<std::function<void()>> mine(static_cast<std::function<void()>*>(task));
  (*mine)();
  return nullptr;
}

void SlimThreads::join() {
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

void SlimThreads::detach() {
  for (const pthread_t thread : threads_) pthread_detach(thread);
}

namespace {

std::mutex mutex;
std::uint32_t alive = 0;
bool were_allowed = false;

// A system without huge pages refuses, and there is nothing to do.
void allow(bool huge) {
  static_cast<void>(prctl(PR_SET_THP_DISABLE, huge ? 0UL : 1UL, 0UL, 0UL, 0UL));
}

}  // namespace

SmallPages::SmallPages() {
  const std::scoped_lock lock(mutex);
  if (alive++ > 0) return;
  were_allowed = prctl(PR_GET_THP_DISABLE, 0UL, 0UL, 0UL, 0UL) == 0;
  if (were_allowed) allow(false);
}

SmallPages::~SmallPages() {
  const std::scoped_lock lock(mutex);
  if (--alive == 0 && were_allowed) allow(true);
}

}  // namespace rhizome::core
