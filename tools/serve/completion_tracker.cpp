#include "tools/serve/completion_tracker.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rhizome::tools {

namespace {

using namespace std::chrono_literals;

constexpr auto period = 20ms;

// Nothing of a fact of another type.
template <class F>
std::optional<F> as(const core::EncodedFact& fact) {
  F decoded{};
  if (fact.info != &F::info || core::decode(fact.payload, decoded) != core::DecodeError::none)
    return {};
  return decoded;
}

}  // namespace

std::vector<JobStore::Done> not_run(std::uint64_t job, const std::vector<std::uint32_t>& tasks) {
  std::vector<JobStore::Done> done;
  for (const std::uint32_t task : tasks)
    done.push_back({job,
                    {.task = task,
                     .result = "not run: a task that it needs has a wrong result",
                     .right = false,
                     .finished = milliseconds_now()}});
  return done;
}

std::vector<JobStore::Done> barred_by(JobFeed& feed, const std::vector<JobStore::Done>& ended) {
  std::vector<JobStore::Done> barred;
  for (const auto& [job, task] : ended) {
    const auto more = not_run(job, feed.ended(job, task.task, task.right));
    barred.insert(barred.end(), more.begin(), more.end());
  }
  return barred;
}

CompletionTracker::CompletionTracker(JobStore& store, JobFeed& feed, Options options)
    : store_(store), feed_(feed), options_(std::move(options)) {}

void CompletionTracker::follow(const core::Board& board, std::vector<double> speeds) {
  speeds_ = std::move(speeds);
  cursors_.resize(board.peers());
  stopping_ = false;
  thread_ = std::thread([this, &board] {
    Completions completions;
    for (bool last = false; !last;) {
      last = stopping_;
      const Completions known = std::exchange(completions, {});
      sweep(board, completions);
      // Completions known since the sweep before: all facts that led to them have been read by now.
      for (const agents::TaskCompleted& each : known) complete(each);
      if (last)
        for (const agents::TaskCompleted& each : completions) complete(each);
      flush();
      if (!last) std::this_thread::sleep_for(period);
    }
  });
}

void CompletionTracker::end() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void CompletionTracker::sweep(const core::Board& board, Completions& completions) {
  for (std::uint32_t i = 0; i < board.peers(); ++i) {
    const core::PeerId peer{i};
    if (board.shows(peer))
      board.facts(peer).read(cursors_[i], [&](core::Time, const core::EncodedFact& fact) {
        take(peer, fact, completions);
      });
  }
}

auto CompletionTracker::open(std::uint32_t number) -> Open* {
  if (const auto found = open_.find(number); found != open_.end()) return &found->second;
  std::optional<FedJob> fed = feed_.fed(number);
  if (!fed) return nullptr;
  Open open{.fed = std::move(*fed)};
  open.left = open.fed.tasks.size();
  open.done.resize(open.left);
  return &open_.emplace(number, std::move(open)).first->second;
}

void CompletionTracker::take(core::PeerId peer, const core::EncodedFact& fact,
                             Completions& completions) {
  if (const auto submitted = as<agents::JobSubmitted>(fact)) {
    if (Open* job = open(submitted->job)) job->arrived = submitted->arrived;
  } else if (const auto executed = as<agents::TaskExecuted>(fact)) {
    if (Open* job = open(executed->task.job))
      job->ended[executed->task].try_emplace(peer.value).first->second.took = executed->took;
  } else if (const auto computed = as<agents::TaskComputed>(fact)) {
    if (Open* job = open(computed->task.job)) {
      Ended& ended = job->ended[computed->task][peer.value];
      ended.result = computed->result;
      ended.right = computed->right;
    }
  } else if (const auto completed = as<agents::TaskCompleted>(fact)) {
    completions.push_back(*completed);
  }
}

// What a scheduler says need not be true: it may name another executor than the one, or have its
// task executed by nobody.
auto CompletionTracker::ended_by(const Executions& all, std::uint32_t peer) -> Ended {
  if (const auto named = all.find(peer); named != all.end()) return named->second;
  if (all.size() == 1) return all.begin()->second;
  return {.result = "its executor has not executed it", .right = false};
}

void CompletionTracker::complete(const agents::TaskCompleted& completed) {
  const std::uint32_t number = completed.task.job;
  Open* job = open(number);
  const std::uint32_t portion = completed.task.portion;
  if (job == nullptr || portion >= job->done.size() || job->done[portion]) return;
  job->done[portion] = true;
  --job->left;
  const std::uint32_t peer = completed.executor.value;
  const Ended ended = ended_by(job->ended[completed.task], peer);
  job->ended.erase(completed.task);
  const double speed = peer < speeds_.size() ? speeds_[peer] : 1;
  job->took += core::from_seconds(core::seconds(ended.took) * speed);
  unwritten_.push_back({job->fed.job,
                        {.task = job->fed.tasks[portion],
                         .peer = peer,
                         .result = ended.result,
                         .right = ended.right,
                         .finished = milliseconds_now()}});
  if (job->left > 0) return;
  put_down(number, *job);
  open_.erase(number);
  feed_.forget(number);
}

// Records the job, with the average duration of its tasks for each of them.
void CompletionTracker::put_down(std::uint32_t number, const Open& open) {
  const auto tasks = static_cast<std::uint32_t>(open.done.size());
  agents::Job job{.id = number, .arrival = open.arrived, .portions = {}};
  for (std::uint32_t i = 0; i < tasks; ++i)
    job.portions.push_back(
        {.id = {number, i}, .duration = std::max(core::Duration(1000), open.took / tasks)});
  if (options_.records == nullptr) return;
  for (scenarios::JobRecord& record : *options_.records) {
    try {
      record.add(job);
    } catch (const std::runtime_error& error) {
      if (options_.warn) options_.warn(std::string("a record lacks a job: ") + error.what());
    }
  }
}

// Results that cannot be written now are kept, and tried again; a restarted server would execute
// those tasks once more.
void CompletionTracker::flush() {
  if (unwritten_.empty()) return;
  try {
    store_.complete(unwritten_);
    unwritten_ = barred_by(feed_, unwritten_);
    failing_ = false;
  } catch (const std::runtime_error& error) {
    if (!failing_ && options_.warn)
      options_.warn(std::string("results cannot be stored and wait in memory: ") + error.what());
    failing_ = true;
  }
}

}  // namespace rhizome::tools
