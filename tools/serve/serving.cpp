#include "tools/serve/serving.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/peer/work.hpp"
#include "tools/cli/messages.hpp"
#include "tools/serve/address_file.hpp"

namespace rhizome::tools {

namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t jobs_a_page = 1000;

// Calls f(job) with each that is open.
template <class F>
void each_open(const JobStore& store, F f) {
  std::uint64_t after = 0;
  for (;;) {
    const std::vector<ServedJob> jobs = store.jobs(after, jobs_a_page, JobState::open);
    if (jobs.empty()) return;
    for (const ServedJob& job : jobs) f(job);
    after = jobs.back().id;
  }
}

}  // namespace

Serving::Serving(const Options& options, const scenarios::WorkloadSection& section, JobFeed& feed)
    : options_(options),
      feed_(feed),
      store_(options.store),
      orders_(section),
      uploads_(orders_.bounds().folder, options.web.longest_upload),
      service_(store_, feed_, orders_, uploads_, options.limits) {
  orders_.make_outputs_folder();
  tracker_.emplace(store_, feed_,
                   CompletionTracker::Options{.records = &records_,
                                              .warn = [](const std::string& text) { warn(text); }});
  feed_.begin({.check = [this](const std::string& work) { orders_.check(work); },
               .refused =
                   [this](const FedJob& job, const std::string& why) {
                     refused_ = true;
                     std::vector<JobStore::Done> done;
                     for (const std::uint32_t task : job.tasks)
                       done.push_back({job.job,
                                       {.task = task,
                                        .result = core::judged(why, false).value,
                                        .right = false,
                                        .finished = milliseconds_now()}});
                     try {
                       for (; !done.empty(); done = barred_by(feed_, done)) store_.complete(done);
                     } catch (const std::runtime_error& error) {
                       warn(std::string("a refused job stays open: ") + error.what());
                     }
                   }});
  take_up();
}

Serving::~Serving() {
  close();
  feed_.end();
}

// The bounds of the scenario may be narrower by now, and a store may be another server's.
void Serving::take_up() {
  each_open(store_, [this](const ServedJob& job) {
    try {
      orders_.check_kept(job.order);
    } catch (const BadOrder& bad) {
      refused_ = true;
      static_cast<void>(store_.cancel(job.id));
      warn(fmt::format("job {} is cancelled: {}", job.id, bad.what()));
      return;
    }
    const auto barred = feed_.add(job, store_.tasks(job.id, 0, job.order.tasks));
    store_.complete(not_run(job.id, barred));
  });
}

void Serving::add_to(scenarios::RunHooks& hooks) {
  hooks.watch = [this, others = std::move(hooks.watch)](const scenarios::RunUnderWay& run,
                                                        const core::Board& board) {
    if (others) others(run, board);
    tracker_->follow(board, run.foreseen.speeds);
    service_.enter(JobService::Stage::serving);
  };
  hooks.unwatch = [this, others = std::move(hooks.unwatch)](const scenarios::RunUnderWay& run) {
    service_.enter(JobService::Stage::draining);
    tracker_->end();
    if (others) others(run);
  };
}

void Serving::open(const std::atomic<bool>& asked) {
  server_.emplace(service_, options_.web);
  publish_address(options_.store.file, url());
  thread_ = std::thread([this, &asked] { wait(asked); });
}

// A run that no job has come to is stopped: without a job, the end of the list is an error to it.
void Serving::wait(const std::atomic<bool>& asked) {
  while (!asked && !over_) std::this_thread::sleep_for(20ms);
  if (over_) return;
  service_.enter(JobService::Stage::draining);
  constexpr auto farewells = 30s;  // under master-worker a crashed peer is told the end for 16 s
  auto until = std::chrono::steady_clock::now() + options_.drain;
  while (store_.counts().jobs[0] > 0 && !over_ && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(20ms);
  const bool done = store_.counts().jobs[0] == 0 && feed_.used();
  if (feed_.used()) feed_.close();
  until = std::chrono::steady_clock::now() + farewells;
  while (done && !over_ && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(20ms);
  stop_ = true;
}

std::string Serving::url() const {
  const std::string& address = options_.web.address;
  const bool is_ipv6 = address.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("http://[{}]:{}", address, server_->port())
                 : fmt::format("http://{}:{}", address, server_->port());
}

void Serving::close() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
  store_.watch().end();  // so that no thread of the server waits any longer
  server_.reset();
}

auto Serving::left() const -> Left {
  Left left;
  each_open(store_, [&](const ServedJob& job) {
    ++left.jobs;
    left.tasks += job.order.tasks - job.done;
  });
  return left;
}

}  // namespace rhizome::tools
