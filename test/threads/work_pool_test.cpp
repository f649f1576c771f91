#include "core/engine/work_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace rhizome::core {

namespace {

using Ticket = WorkPool::Ticket;

Ticket ticket(std::uint32_t number) { return {PeerId{1}, {}, {0, number}}; }

// What a pool told.
class Told {
 public:
  void operator()(const Ticket& done) {
    const std::scoped_lock lock(mutex_);
    list_.push_back(done);
    changed_.notify_all();
  }
  void wait_for(const Ticket& wanted) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock,
                  [&] { return std::find(list_.begin(), list_.end(), wanted) != list_.end(); });
  }
  [[nodiscard]] std::vector<Ticket> list() const { return list_; }
  [[nodiscard]] std::size_t count() {
    const std::scoped_lock lock(mutex_);
    return list_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Ticket> list_;
};

}  // namespace

TEST_CASE("work that is suspended holds up nobody, and ends once it goes on") {
  constexpr Work work{.kind = Work::Kind::matrix, .order = 300, .seed = 1};
  Told told;
  WorkPool pool([&told](const Ticket& done, std::uint64_t) { told(done); });
  const std::uint32_t many = 4 * std::max(1U, std::thread::hardware_concurrency());
  for (std::uint32_t i = 0; i < many; ++i) {
    pool.submit(ticket(i), work);
    pool.pace(ticket(i), 0);
  }
  pool.submit(ticket(many), work);
  told.wait_for(ticket(many));
  CHECK(told.count() < many);
  for (std::uint32_t i = 0; i < many; ++i) pool.pace(ticket(i), i % 2 == 0 ? 1 : 0.5);
  for (std::uint32_t i = 0; i < many; ++i) told.wait_for(ticket(i));
  pool.stop();
  CHECK(told.list().size() == many + 1);
}

TEST_CASE("suspended work is cancelled, and a pool with such work stops") {
  constexpr Work work{.kind = Work::Kind::matrix, .order = 1200, .seed = 1};
  Told told;
  WorkPool pool([&told](const Ticket& done, std::uint64_t) { told(done); });
  for (std::uint32_t i = 0; i < 3; ++i) {
    pool.submit(ticket(i), work);
    pool.pace(ticket(i), 0);
  }
  pool.cancel(ticket(0));
  pool.stop();
  CHECK(told.list().empty());
}

TEST_CASE("work that nobody waits for any more is neither begun nor done to its end nor told") {
  constexpr Work long_work{.kind = Work::Kind::matrix, .order = 1200, .seed = 1};
  constexpr Work short_work{.kind = Work::Kind::matrix, .order = 8, .seed = 1};
  Told told;
  WorkPool pool([&told](const Ticket& done, std::uint64_t) { told(done); });
  const std::uint32_t many = 4 * std::max(1U, std::thread::hardware_concurrency());
  for (std::uint32_t i = 0; i < many; ++i) pool.submit(ticket(i), long_work);
  for (std::uint32_t i = 0; i < many; ++i) pool.cancel(ticket(i));
  pool.submit(ticket(many), short_work);
  told.wait_for(ticket(many));
  pool.stop();
  CHECK(told.list() == std::vector<Ticket>{ticket(many)});
}

}  // namespace rhizome::core
