#include "core/engine/work_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <string>
#include <system_error>

#include "core/engine/limits.hpp"

namespace rhizome::core {

// Counted once, at first: a thread that is bound to one processor would count only that one.
std::size_t WorkPool::cores() {
  static const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
  return count;
}

void WorkPool::submit(const Ticket& ticket, std::unique_ptr<Computation> computation) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) return;  // its threads are being joined
  Job job{.ticket = ticket, .computation = std::move(computation)};
  add_threads();
  if (job.computation->elsewhere()) {
    begin_elsewhere(std::move(job));
    return;
  }
  waiting_.push_back(std::move(job));
  changed_.notify_one();
}

// Waits for no core of this machine, and for no thread but to be buried.
void WorkPool::begin_elsewhere(Job job) {
  const auto running = running_.insert(running_.end(), std::move(job));
  running->left = true;
  running->computation->begin([this, running](const Result& result) { conclude(running, result); });
}

// Starts so many threads that suspended work keeps none from other work; fewer where the system
// allows no more.
void WorkPool::add_threads() {
  const auto stuck = static_cast<std::size_t>(std::count_if(
      running_.begin(), running_.end(), [](const Job& job) { return !job.left && job.rate == 0; }));
  try {
    while (threads_.size() < cores() + stuck) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error& error) {
    if (threads_.size() > stuck) return;
    throw LimitExceeded(std::string("the system refused a thread for real work: ") + error.what());
  }
}

void WorkPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !ended_.empty() || next() != waiting_.end(); });
    if (!ended_.empty())
      bury(lock);
    else if (stopping_)
      return;
    else
      start(lock, next());
  }
}

// The next job that may begin, if a core is free.
auto WorkPool::next() -> Jobs::iterator {
  const auto busy = std::count_if(running_.begin(), running_.end(), std::mem_fn(&Job::busy));
  if (static_cast<std::size_t>(busy) >= cores()) return waiting_.end();
  return std::find_if(waiting_.begin(), waiting_.end(),
                      [this](const Job& job) { return job.busy() && has_core(job.ticket.peer); });
}

// Whether a processor of the peer's group is free.
bool WorkPool::has_core(PeerId peer) const {
  const auto group = allotment_.group_of(peer);
  if (!group) return true;
  const auto busy = std::count_if(running_.begin(), running_.end(), [&](const Job& job) {
    return job.busy() && allotment_.group_of(job.ticket.peer) == group;
  });
  return static_cast<std::size_t>(busy) < allotment_.cores_of(*group);
}

void WorkPool::start(std::unique_lock<std::mutex>& lock, Jobs::iterator job) {
  running_.splice(running_.end(), waiting_, job);
  if (job->rate != 1) job->computation->pace(job->rate);
  lock.unlock();
  allotment_.bind_to(job->ticket.peer);
  begin(job);
  lock.lock();
  job->left = true;
  if (job->over) ended_.splice(ended_.end(), running_, job);
}

// An exception after the end of the computation came from the receiver of the result, not from the
// computation.
void WorkPool::begin(Jobs::iterator job) {
  try {
    job->computation->begin([this, job](const Result& result) { conclude(job, result); });
  } catch (const std::exception& error) {
    if (job->over) throw;
    conclude(job, judged(std::string("could not begin: ") + error.what(), false));
  }
}

// Destroying a computation may take a moment, until nothing of it is left behind.
void WorkPool::bury(std::unique_lock<std::mutex>& lock) {
  Jobs ended;
  ended.swap(ended_);
  lock.unlock();
  ended.clear();
  lock.lock();
}

void WorkPool::conclude(Jobs::iterator job, const Result& result) {
  std::unique_lock lock(mutex_);
  const Ticket ticket = job->ticket;
  const bool wanted = job->wanted;
  job->over = true;
  if (job->left) ended_.splice(ended_.end(), running_, job);
  changed_.notify_one();
  lock.unlock();
  if (wanted) done_(ticket, result);
}

void WorkPool::cancel(const Ticket& ticket) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(waiting_, [&](const Job& job) { return job.ticket == ticket; });
  for (Job& job : running_)
    if (job.ticket == ticket) end(job);
}

// A cancelled computation needs its core until it has ended, even if it was suspended.
void WorkPool::end(Job& job) {
  job.wanted = false;
  job.rate = 1;
  job.computation->cancel();
}

void WorkPool::pace(const Ticket& ticket, double rate) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) return;
  for (Job& job : waiting_)
    if (job.ticket == ticket) job.rate = rate;
  for (Job& job : running_) {
    if (!(job.ticket == ticket)) continue;
    job.rate = rate;
    job.computation->pace(rate);
  }
  add_threads();
  changed_.notify_all();
}

// A computation that goes on without a thread of the pool ends when it is destroyed, and reports
// its end meanwhile.
void WorkPool::stop() {
  std::vector<std::unique_ptr<Computation>> left;
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    waiting_.clear();
    std::for_each(running_.begin(), running_.end(), end);
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  {
    const std::scoped_lock lock(mutex_);
    for (Job& job : running_) left.push_back(std::move(job.computation));
  }
  left.clear();
  running_.clear();
  ended_.clear();
}

namespace {

std::vector<int> processors_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
  std::vector<int> list;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) list.push_back(i);
  return list;
}

}  // namespace

Allotment::Allotment(const std::vector<ProcessorGroup>& groups)
    : Allotment(groups, groups.empty() ? std::vector<int>{} : processors_of_this_process()) {}

Allotment::Allotment(const std::vector<ProcessorGroup>& groups,
                     const std::vector<int>& processors) {
  const std::size_t wanted =
      std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                      [](std::size_t sum, const ProcessorGroup& each) { return sum + each.cores; });
  if (groups.empty() || wanted > processors.size()) return;
  auto next = processors.begin();
  for (const ProcessorGroup& group : groups) {
    for (const PeerId peer : group.peers) groups_[peer] = own_.size();
    own_.emplace_back(next, next + group.cores);
    next += group.cores;
  }
  rest_.assign(next, processors.end());
  if (rest_.empty()) rest_ = processors;
}

std::optional<std::size_t> Allotment::group_of(PeerId peer) const {
  const auto found = groups_.find(peer);
  if (found == groups_.end()) return {};
  return found->second;
}

// A system that refuses leaves the thread where it was: slower at worst.
void Allotment::bind_to(PeerId peer) const {
  if (groups_.empty()) return;
  const auto group = group_of(peer);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : group ? own_[*group] : rest_) CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace rhizome::core
