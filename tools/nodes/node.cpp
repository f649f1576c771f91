#include "tools/nodes/node.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rhizome::tools {

using namespace std::chrono_literals;

namespace {

constexpr auto moment = 10ms;             // within which a worker hears of its work
constexpr auto patience = 10s;            // for a worker that reads nothing
constexpr auto farewell = 5s;             // for a worker that shall end
constexpr auto first_pause = 500ms;       // before a worker that has died is replaced
constexpr auto longest_pause = 30'000ms;  // doubled with each that dies before it is ready

}  // namespace

// The work of one computation, which may outlive the worker but not the node.
class Node::Remote final : public core::Computation {
 public:
  Remote(Node& node, core::Work work) : node_(node), work_(std::move(work)) {}
  ~Remote() override {
    cancel();
    std::unique_lock lock(mutex_);
    over_changed_.wait(lock, [this] { return !begun_ || over_; });
  }
  void begin(Done done) override {
    const std::scoped_lock lock(mutex_);
    begun_ = true;
    id_ = node_.begin(
        work_,
        [this, done = std::move(done)](core::Result result) {
          done(std::move(result));
          const std::scoped_lock over(mutex_);
          over_ = true;
          over_changed_.notify_all();
        },
        rate_);
  }
  void pace(double rate) override {
    const std::scoped_lock lock(mutex_);
    rate_ = rate;
    if (begun_) node_.pace(id_, rate);
  }
  void cancel() override {
    const std::scoped_lock lock(mutex_);
    if (begun_) node_.cancel(id_);
  }
  [[nodiscard]] bool elsewhere() const override { return true; }

 private:
  Node& node_;
  const core::Work work_;
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool begun_ = false;
  bool over_ = false;
  double rate_ = 1;
  std::uint32_t id_ = 0;
};

Node::Node(std::uint32_t number, Places& places, Hooks hooks)
    : number_(number), places_(places), hooks_(std::move(hooks)), thread_([this] { serve(); }) {}

Node::~Node() {
  end();
  thread_.join();
}

void Node::end() {
  over_ = true;
  changed_.notify_all();
}

void Node::want(bool wanted) {
  const std::scoped_lock lock(mutex_);
  if (wanted && !wanted_) told_ready_ = false;
  wanted_ = wanted;
  changed_.notify_all();
}

std::unique_ptr<core::Computation> Node::compute(const core::Work& work) {
  return std::make_unique<Remote>(*this, work);
}

bool Node::starting() const {
  const std::scoped_lock lock(mutex_);
  return (wanted_ || !tasks_.empty()) && !ready_;
}

std::uint32_t Node::begin(const core::Work& work, core::Computation::Done done, double rate) {
  const std::scoped_lock lock(mutex_);
  tasks_[++last_] = {.work = work, .done = std::move(done), .rate = rate};
  changed_.notify_all();
  return last_;
}

void Node::pace(std::uint32_t id, double rate) {
  const std::scoped_lock lock(mutex_);
  const auto task = tasks_.find(id);
  if (task == tasks_.end()) return;
  task->second.rate = rate;
  if (task->second.told)
    unsaid_ += line_of({.kind = WorkerOrder::Kind::pace, .id = id, .rate = rate});
}

void Node::cancel(std::uint32_t id) {
  const std::scoped_lock lock(mutex_);
  const auto task = tasks_.find(id);
  if (task == tasks_.end()) return;
  task->second.cancelled = true;
  if (task->second.told) unsaid_ += line_of({.kind = WorkerOrder::Kind::stop, .id = id});
  changed_.notify_all();
}

bool Node::is_needed() const {
  const std::scoped_lock lock(mutex_);
  return wanted_ || !tasks_.empty();
}

void Node::serve() {
  while (!over_) {
    if (!worker_ && is_needed() && Clock::now() >= next_start_) begin_worker();
    if (worker_)
      converse();
    else
      wait_for_news();
    tell_ready();
    conclude_cancelled();
    if (worker_ && !is_needed()) end_worker();
  }
  end_worker();
  std::vector<std::uint32_t> left;
  for (const auto& [id, task] : tasks_) left.push_back(id);
  conclude(std::move(left), {});
}

// A node that is given back and wanted again at once still has its worker.
void Node::tell_ready() {
  {
    const std::scoped_lock lock(mutex_);
    if (!ready_ || !wanted_ || std::exchange(told_ready_, true)) return;
  }
  hooks_.ready();
}

void Node::wait_for_news() {
  std::unique_lock lock(mutex_);
  constexpr auto at_most = 100ms;
  changed_.wait_for(lock, at_most);
}

void Node::begin_worker() {
  try {
    worker_ =
        std::make_unique<core::Dialogue>(core::DialogueOptions{.words = places_.command(number_)});
    said_ = Clock::now();
  } catch (const std::runtime_error& error) {
    lose(error.what());
  }
}

// Sends new orders and reads answers. A worker whose place is still in a queue sends nothing.
void Node::converse() {
  try {
    std::string lines = ready_ ? news_for_worker() : "";
    if (Clock::now() - said_ >= between_signs) {
      lines += line_of(WorkerOrder{});
      said_ = Clock::now();
    }
    if (ready_ && !lines.empty()) worker_->send(lines, patience);
    while (const auto line = worker_->line(moment)) {
      const auto answer = answer_in(*line);
      if (!answer)
        throw core::DialogueError("it wrote a line that is none of a worker's: " +
                                  std::string(line->substr(0, 80)));
      heard_ = Clock::now();
      hear(*answer);
      if (!worker_->has_more()) break;
    }
    if (ready_ && Clock::now() - heard_ > longest_silence)
      throw core::DialogueError("nothing was heard of it for too long");
  } catch (const std::runtime_error& error) {
    lose(error.what());
  }
}

void Node::hear(const WorkerAnswer& answer) {
  if (answer.kind == WorkerAnswer::Kind::ready) {
    if (answer.version != worker_version())
      throw core::DialogueError("it is of version " + answer.version + ", and this one is of " +
                                worker_version());
    ready_ = true;
    pause_ = 0ms;
  } else if (answer.kind == WorkerAnswer::Kind::done) {
    conclude({answer.id}, answer.result);
  }
}

std::string Node::news_for_worker() {
  const std::scoped_lock lock(mutex_);
  std::string lines = std::exchange(unsaid_, {});
  for (auto& [id, task] : tasks_) {
    if (task.told || task.cancelled) continue;
    task.told = true;
    lines += line_of({.kind = WorkerOrder::Kind::work, .id = id, .work = task.work});
    if (task.rate != 1)
      lines += line_of({.kind = WorkerOrder::Kind::pace, .id = id, .rate = task.rate});
  }
  return lines;
}

// The next worker begins all that this one had. Numbers of work are never used twice, so that no
// late answer is taken for another.
void Node::lose(const std::string& why) {
  const bool could_work = ready_.exchange(false);
  std::vector<std::uint32_t> hopeless;
  std::uint32_t again = 0;
  {
    const std::scoped_lock lock(mutex_);
    unsaid_.clear();
    for (auto& [id, task] : tasks_) {
      if (!std::exchange(task.told, false)) continue;
      ++again;
      if (++task.deaths >= most_deaths) hopeless.push_back(id);
    }
  }
  worker_.reset();
  places_.give_back(number_);
  if (could_work) hooks_.died(again);
  hooks_.warn(could_work
                  ? fmt::format("the worker of node {} has died, with {} pieces of work, and "
                                "is replaced: {}",
                                number_, again, why)
                  : fmt::format("node {} has no worker, and tries again: {}", number_, why));
  conclude(std::move(hopeless),
           core::judged(fmt::format("the workers of its node have died {} times while they did it",
                                    most_deaths),
                        false));
  pause_ = std::clamp<std::chrono::milliseconds>(2 * pause_, first_pause, longest_pause);
  next_start_ = Clock::now() + pause_;
}

// Ends the worker in good order if it can work, so that its end does not count as a death.
void Node::end_worker() {
  if (!worker_) return;
  try {
    if (ready_) {
      worker_->send(line_of({.kind = WorkerOrder::Kind::end}), patience);
      const auto until = Clock::now() + farewell;
      while (Clock::now() < until) static_cast<void>(worker_->line(moment));
    }
  } catch (const std::runtime_error&) {
    ready_ = false;  // the worker has ended
  }
  ready_ = false;
  worker_.reset();
  places_.give_back(number_);
  const std::scoped_lock lock(mutex_);
  unsaid_.clear();
  for (auto& [id, task] : tasks_) task.told = false;
}

void Node::conclude_cancelled() {
  std::vector<std::uint32_t> ids;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [id, task] : tasks_)
      if (task.cancelled) ids.push_back(id);
  }
  conclude(std::move(ids), {});
}

// Called without the lock, because the callback may begin more work.
void Node::conclude(std::vector<std::uint32_t> ids, const core::Result& result) {
  for (const std::uint32_t id : ids) {
    core::Computation::Done done;
    {
      const std::scoped_lock lock(mutex_);
      auto task = tasks_.extract(id);
      if (task) done = std::move(task.mapped().done);
    }
    if (done) done(result);
  }
}

}  // namespace rhizome::tools
