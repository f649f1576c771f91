#include "tools/serve/job_feed.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "tools/serve/orders.hpp"

namespace rhizome::tools {

JobFeed::JobFeed() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error(errno, std::generic_category(), "no pipe for the jobs");
  reader_ = ends[0];
  writer_ = ends[1];
}

void JobFeed::begin(Judge judge) {
  judge_ = std::move(judge);
  thread_ = std::thread([this] { go_on(); });
}

void JobFeed::end() {
  stopping_ = true;
  close();
  if (thread_.joinable()) thread_.join();
  for (int* each : {&writer_, &reader_})
    if (const int descriptor = std::exchange(*each, -1); descriptor >= 0) ::close(descriptor);
}

// The run opens the pipe once more by itself.
std::string JobFeed::file() const { return fmt::format("/dev/fd/{}", reader_); }

std::vector<std::uint32_t> JobFeed::add(const ServedJob& job, const std::vector<ServedTask>& done) {
  const std::scoped_lock lock(mutex_);
  HeldTasks::Released released = held_.admit(job, done);
  queue(job, released.ready);
  return std::move(released.barred);
}

std::vector<std::uint32_t> JobFeed::ended(std::uint64_t job, std::uint32_t task, bool right) {
  const std::scoped_lock lock(mutex_);
  HeldTasks::Released released = held_.ended(job, task, right);
  if (!released.ready.empty()) queue(*held_.find(job), released.ready);
  return std::move(released.barred);
}

// A job whose text contains the numbers of its tasks is queued task by task.
void JobFeed::queue(const ServedJob& job, const std::vector<std::uint32_t>& tasks) {
  if (tasks.empty()) return;
  const JobOrder& order = job.order;
  if (has_numbers(order.work)) {
    for (const std::uint32_t task : tasks)
      lines_.push_back({{job.id, {task}, order.seconds}, with_numbers(order.work, job.id, task)});
  } else {
    lines_.push_back({{job.id, tasks, order.seconds}, order.work});
  }
  changed_.notify_all();
}

void JobFeed::withdraw(std::uint64_t job) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(lines_, [job](const Line& line) { return line.job.job == job; });
  held_.forget(job);
}

void JobFeed::close() {
  const std::scoped_lock lock(mutex_);
  closing_ = true;
  changed_.notify_all();
}

bool JobFeed::used() const {
  const std::scoped_lock lock(mutex_);
  return next_ > 0;
}

std::optional<FedJob> JobFeed::fed(std::uint32_t number) const {
  const std::scoped_lock lock(mutex_);
  const auto found = fed_.find(number);
  if (found == fed_.end()) return {};
  return found->second;
}

void JobFeed::forget(std::uint32_t number) {
  const std::scoped_lock lock(mutex_);
  fed_.erase(number);
}

void JobFeed::go_on() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closing_ || !lines_.empty(); });
    if (stopping_ || lines_.empty()) break;
    const Line line = std::move(lines_.front());
    lines_.pop_front();
    lock.unlock();
    put(line);
  }
  ::close(std::exchange(writer_, -1));
}

// Files may have gone since it was accepted. What goes after this
// is told by the work itself.
void JobFeed::put(const Line& line) {
  try {
    judge_.check(line.work);
  } catch (const BadOrder& bad) {
    judge_.refused(line.job, bad.what());
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    fed_.emplace(next_++, line.job);
  }
  write(fmt::format("now {} {:.9f}{}{}\n", line.job.tasks.size(), line.job.seconds,
                    line.work.empty() ? "" : " ", line.work));
}

// Waits while the pipe is full, unless all ends.
void JobFeed::write(const std::string& text) const {
  constexpr int patience = 100;  // milliseconds
  for (std::size_t at = 0; at < text.size() && !stopping_;) {
    pollfd asked{.fd = writer_, .events = POLLOUT, .revents = 0};
    if (poll(&asked, 1, patience) <= 0) continue;
    const ssize_t size = ::write(writer_, text.data() + at, text.size() - at);
    if (size > 0) at += static_cast<std::size_t>(size);
  }
}

}  // namespace rhizome::tools
