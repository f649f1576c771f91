#include "core/engine/work_pool.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "test/support/works.hpp"

namespace rhizome::core::work_pool_test {

namespace {

using Ticket = WorkPool::Ticket;

Ticket ticket(std::uint32_t number) { return {PeerId{1}, {}, {0, number}}; }

std::unique_ptr<Computation> real(const Work& work) {
  return computation_of(agents::work_kinds(), work);
}

// Counters of computations that, like child processes, need no thread of the pool.
struct Outsiders {
  std::atomic<std::uint32_t> begun{0};
  std::atomic<std::uint32_t> ended{0};
  std::atomic<std::uint32_t> left{0};
  std::atomic<std::uint32_t> suspended{0};
  std::atomic<std::uint32_t> own_processors{0};  // where each was begun, all together
  std::atomic<bool> may_end{false};
  std::atomic<bool> linger{false};  // while true, computations do not end
};

class Outsider final : public Computation {
 public:
  explicit Outsider(Outsiders& all) : all_(all) {}
  ~Outsider() override {
    cancel();
    if (thread_.joinable()) thread_.join();
    ++all_.left;
  }
  void begin(Done done) override {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    all_.own_processors += static_cast<std::uint32_t>(CPU_COUNT(&set));
    thread_ = std::thread([this, done = std::move(done)] {
      ++all_.begun;
      while (!cancelled_ && !all_.may_end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      while (all_.linger) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++all_.ended;
      done({});
    });
  }
  void pace(double rate) override { all_.suspended += rate == 0 ? 1 : 0; }
  void cancel() override { cancelled_ = true; }

 private:
  Outsiders& all_;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

// A computation that fails for lack of memory.
class Starved final : public Computation {
 public:
  void begin(Done) override { throw std::bad_alloc(); }
  void pace(double) override {}
  void cancel() override {}
};

void wait_until(const std::atomic<std::uint32_t>& count, std::uint32_t value) {
  while (count < value) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Records the results that a pool reports.
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

TEST_CASE("suspended work does not block other work, and ends once it goes on") {
  const Work work = test::matrix_work(300);
  Told told;
  WorkPool pool([&told](const Ticket& done, const Result&) { told(done); });
  const std::uint32_t many = 4 * std::max(1U, std::thread::hardware_concurrency());
  for (std::uint32_t i = 0; i < many; ++i) {
    pool.submit(ticket(i), real(work));
    pool.pace(ticket(i), 0);
  }
  pool.submit(ticket(many), real(work));
  told.wait_for(ticket(many));
  CHECK(told.count() < many);
  for (std::uint32_t i = 0; i < many; ++i) pool.pace(ticket(i), i % 2 == 0 ? 1 : 0.5);
  for (std::uint32_t i = 0; i < many; ++i) told.wait_for(ticket(i));
  pool.stop();
  CHECK(told.list().size() == many + 1);
}

TEST_CASE("suspended work is cancelled, and a pool with such work stops") {
  const Work work = test::matrix_work(1200);
  Told told;
  WorkPool pool([&told](const Ticket& done, const Result&) { told(done); });
  for (std::uint32_t i = 0; i < 3; ++i) {
    pool.submit(ticket(i), real(work));
    pool.pace(ticket(i), 0);
  }
  pool.cancel(ticket(0));
  pool.stop();
  CHECK(told.list().empty());
}

TEST_CASE("abandoned work is neither begun nor completed nor reported") {
  const Work long_work = test::matrix_work(1200);
  const Work short_work = test::matrix_work(8);
  Told told;
  WorkPool pool([&told](const Ticket& done, const Result&) { told(done); });
  const std::uint32_t many = 4 * std::max(1U, std::thread::hardware_concurrency());
  for (std::uint32_t i = 0; i < many; ++i) pool.submit(ticket(i), real(long_work));
  for (std::uint32_t i = 0; i < many; ++i) pool.cancel(ticket(i));
  pool.submit(ticket(many), real(short_work));
  told.wait_for(ticket(many));
  pool.stop();
  CHECK(told.list() == std::vector<Ticket>{ticket(many)});
}

TEST_CASE(
    "work that needs no thread of the pool waits for a core, is suspended and cancelled too") {
  const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  Outsiders all;
  Told told;
  WorkPool pool([&told](const Ticket& done, const Result&) { told(done); });
  for (std::uint32_t i = 0; i <= cores; ++i)
    pool.submit(ticket(i), std::make_unique<Outsider>(all));
  wait_until(all.begun, cores);
  CHECK(all.begun == cores);
  pool.pace(ticket(0), 0);  // frees the core of this work
  wait_until(all.begun, cores + 1);
  CHECK(all.suspended == 1);
  pool.cancel(ticket(cores));
  wait_until(all.left, 1);
  CHECK(told.count() == 0);
  all.may_end = true;
  for (std::uint32_t i = 0; i < cores; ++i) told.wait_for(ticket(i));
  wait_until(all.left, cores + 1);
}

TEST_CASE("work that was suspended needs a core while it is cancelled") {
  const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  Outsiders all;
  Told told;
  WorkPool pool([&told](const Ticket& done, const Result&) { told(done); });
  for (std::uint32_t i = 0; i < cores; ++i) pool.submit(ticket(i), std::make_unique<Outsider>(all));
  wait_until(all.begun, cores);
  all.linger = true;
  pool.pace(ticket(0), 0);
  pool.cancel(ticket(0));
  pool.submit(ticket(cores), std::make_unique<Outsider>(all));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(all.begun == cores);
  all.linger = false;
  wait_until(all.begun, cores + 1);
  CHECK(all.ended == 1);
}

TEST_CASE("work that cannot begin has a wrong result, which says why, and the pool goes on") {
  Told told;
  std::atomic<std::uint32_t> wrong{0};
  WorkPool pool([&](const Ticket& done, const Result& result) {
    wrong += result == judged("could not begin: std::bad_alloc", false) ? 1 : 0;
    told(done);
  });
  const std::uint32_t many = 2 * std::max(1U, std::thread::hardware_concurrency());
  for (std::uint32_t i = 0; i < many; ++i) pool.submit(ticket(i), std::make_unique<Starved>());
  for (std::uint32_t i = 0; i < many; ++i) told.wait_for(ticket(i));
  CHECK(wrong == many);
  pool.submit(ticket(many), real(test::matrix_work(8)));
  told.wait_for(ticket(many));
  CHECK(wrong == many);
}

TEST_CASE("no work that needs no thread of the pool is left when the pool has stopped") {
  Outsiders all;
  Told told;
  WorkPool pool([&told](const Ticket& done, const Result&) { told(done); });
  pool.submit(ticket(0), std::make_unique<Outsider>(all));
  wait_until(all.begun, 1);
  pool.stop();
  CHECK(all.ended == 1);
  CHECK(all.left == 1);
  CHECK(told.count() == 0);
}

TEST_CASE("work of a group goes on at its own processors, at most so many pieces of it at a time") {
  const std::uint32_t cores = std::thread::hardware_concurrency();
  if (cores < 2) return;
  const std::vector<ProcessorGroup> groups{{.peers = {PeerId{0}}, .cores = 1},
                                           {.peers = {PeerId{1}}, .cores = cores - 1}};
  Outsiders all;
  Told told;
  WorkPool pool([&told](const Ticket& done, const Result&) { told(done); }, Allotment(groups));
  for (std::uint32_t i = 0; i < 2 * cores; ++i)
    pool.submit({PeerId{0}, {}, {0, i}}, std::make_unique<Outsider>(all));
  wait_until(all.begun, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(all.begun == 1);
  pool.submit({PeerId{1}, {}, {0, 0}}, std::make_unique<Outsider>(all));
  wait_until(all.begun, 2);
  CHECK(all.own_processors == cores);
  all.may_end = true;
  for (std::uint32_t i = 0; i < 2 * cores; ++i) told.wait_for({PeerId{0}, {}, {0, i}});
  told.wait_for({PeerId{1}, {}, {0, 0}});
  CHECK(all.own_processors == 2 * cores + cores - 1);
}

}  // namespace rhizome::core::work_pool_test
