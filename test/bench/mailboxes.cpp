// The baseline of the thread engine: see bare_mailboxes in systems.hpp.
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/engine/limits.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/peer/rng.hpp"
#include "test/bench/systems.hpp"

namespace rhizome::bench {

namespace {

using Message = std::array<char, 100>;

class Mailbox {
 public:
  Mailbox() : event_(eventfd(0, EFD_CLOEXEC)) {
    if (event_ < 0) throw std::runtime_error("no descriptor left for a mailbox");
  }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox() { close(event_); }

  // Wakes the owner only when it may be asleep, which saves most system calls under load.
  void put(const Message& message) {
    bool was_empty = false;
    {
      const std::scoped_lock lock(mutex_);
      was_empty = messages_.empty();
      messages_.push_back(message);
    }
    if (was_empty) wake();
  }
  void wake() const { eventfd_write(event_, 1); }

  // Sleeps until woken; then takes all there is, which may be nothing.
  void take(std::vector<Message>& taken) {
    eventfd_t count = 0;
    eventfd_read(event_, &count);
    taken.clear();
    const std::scoped_lock lock(mutex_);
    taken.swap(messages_);
  }

 private:
  int event_;
  std::mutex mutex_;
  std::vector<Message> messages_;
};

struct Village {
  std::deque<Mailbox> mailboxes;
  std::atomic<std::uint32_t> ready{0};
  std::atomic<bool> open{false};
  std::atomic<bool> stopping{false};
};

// One peer and its thread. Aligned so that no two count on the same cache line.
struct alignas(64) Villager {
  Village* village = nullptr;
  std::uint32_t id = 0;
  std::uint64_t handled = 0;

  void run() {
    core::Rng rng = core::Rng::derive({1, id}, "peer");
    std::vector<Message> taken;
    village->ready.fetch_add(1);
    village->open.wait(false);
    if (id % 2 == 0) forward(rng, {});
    while (!village->stopping.load(std::memory_order_acquire)) {
      village->mailboxes[id].take(taken);
      for (const Message& message : taken) forward(rng, message);
      handled += taken.size();
    }
  }
  void forward(core::Rng& rng, const Message& message) const {
    const std::uint64_t drawn = rng.below(village->mailboxes.size() - 1);
    village->mailboxes[drawn + (drawn >= id ? 1 : 0)].put(message);
  }
};

void* serve(void* villager) {
  static_cast<Villager*>(villager)->run();
  return nullptr;
}

std::vector<pthread_t> start(Village& village, std::vector<Villager>& villagers) {
  pthread_attr_t attributes{};
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, core::ThreadOptions{}.stack_bytes);
  std::vector<pthread_t> threads(villagers.size());
  for (std::size_t i = 0; i < villagers.size(); ++i)
    if (pthread_create(&threads[i], &attributes, &serve, &villagers[i]) != 0)
      throw std::runtime_error("the system refused thread " + std::to_string(i + 1));
  pthread_attr_destroy(&attributes);
  while (village.ready.load() < villagers.size())
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  return threads;
}

}  // namespace

Measurement bare_mailboxes(const BenchLoad& load) {
  core::raise_limits();
  const double resident_before = resident_bytes();
  const Stopwatch starting;
  Village village;
  std::vector<Villager> villagers(load.peers);
  for (std::uint32_t i = 0; i < load.peers; ++i) {
    village.mailboxes.emplace_back();
    villagers[i].village = &village;
    villagers[i].id = i;
  }
  const std::vector<pthread_t> threads = start(village, villagers);
  Measurement measured{.startup = starting.seconds()};

  const Stopwatch running;
  village.open = true;
  village.open.notify_all();
  std::this_thread::sleep_for(std::chrono::duration<double>(load.seconds));
  measured.seconds = running.seconds();
  village.stopping = true;
  measured.resident_bytes = resident_bytes() - resident_before;
  for (const Mailbox& mailbox : village.mailboxes) mailbox.wake();
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  for (const Villager& villager : villagers)
    measured.count += static_cast<double>(villager.handled);
  return measured;
}

}  // namespace rhizome::bench
