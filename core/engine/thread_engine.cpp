#include "core/engine/thread_engine.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <system_error>

#include "core/engine/board.hpp"
#include "core/engine/limits.hpp"
#include "core/engine/peer_thread.hpp"

namespace rhizome::core {

namespace {

using RealTime = std::chrono::steady_clock::time_point;

std::unique_ptr<Transport> make_transport(std::uint32_t peers) {
  return descriptors_for_direct(peers) ? make_direct_transport(peers)
                                       : make_striped_transport(peers);
}

// Sanitizers need deeper stacks than the program itself.
constexpr std::size_t stack_factor() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 8;
#else
  return 1;
#endif
}

// Who joins begins a life as one who restarts does.
Envelope::Kind envelope_of(Fault::Kind kind) {
  if (kind == Fault::Kind::crash) return Envelope::Kind::crash;
  return kind == Fault::Kind::leave ? Envelope::Kind::leave : Envelope::Kind::restart;
}

// Counts threads at the gates of a run: ready, and stopped.
class Muster {
 public:
  void arrive() {
    const std::scoped_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
  }
  void wait_for(std::uint32_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }
  [[nodiscard]] bool wait_until(std::uint32_t count, RealTime deadline) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [&] { return arrived_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t arrived_ = 0;
};

}  // namespace

class ThreadEngine::Run {
 public:
  Run(EngineSetup setup, ThreadOptions options);

  void start_threads();
  void begin();
  Ending supervise(const Observer& observer);
  // False when a handler did not return in time.
  [[nodiscard]] bool stop_threads();
  [[nodiscard]] EngineReport report(Ending ending);

 private:
  static void* thread_main(void* argument);
  void serve(PeerThread& peer);
  void inject_due_faults(Time now);
  void hand_out_inputs(Time now);
  void hand_out(const Input& input);
  [[nodiscard]] std::optional<Ending> ended(Time now, const Observer& observer) const;
  void wake_all();

  const EngineSetup setup_;
  const ThreadOptions options_;
  Shared shared_;
  std::deque<PeerThread> peers_;
  std::vector<pthread_t> threads_;
  Muster ready_;
  Muster stopped_;
  std::atomic<bool> open_{false};
  std::atomic<bool> abandoned_{false};  // a factory threw: nobody starts
  std::exception_ptr failure_;
  std::mutex failure_mutex_;
  std::vector<Fault> faults_;  // by time
  std::size_t next_fault_ = 0;
  std::optional<Input> input_;  // the next one
  Time ended_at_{};

  friend class ThreadEngine;
};

ThreadEngine::Run::Run(EngineSetup setup, ThreadOptions options)
    : setup_(std::move(setup)),
      options_(options),
      shared_(setup_, options.time_scale, make_transport(setup_.peers)),
      faults_(setup_.faults) {
  for (std::uint32_t i = 0; i < setup_.peers; ++i) peers_.emplace_back(PeerId{i}, shared_);
  std::stable_sort(faults_.begin(), faults_.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
  if (setup_.inputs != nullptr) input_ = setup_.inputs->next();
}

// The argument of a thread: freed by the thread itself.
struct ThreadArgument {
  void (*serve)(void* run, PeerThread& peer);
  void* run;
  PeerThread* peer;
};

void* ThreadEngine::Run::thread_main(void* argument) {
  const std::unique_ptr<ThreadArgument> mine(static_cast<ThreadArgument*>(argument));
  mine->serve(mine->run, *mine->peer);
  return nullptr;
}

void ThreadEngine::Run::serve(PeerThread& peer) {
  try {
    if (shared_.commons.present[peer.id().value]) peer.prepare();
    ready_.arrive();
    open_.wait(false);
    if (!abandoned_) peer.run();
  } catch (...) {
    // A factory or a handler threw: the run cannot go on, and run() throws this again.
    const std::scoped_lock lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
    if (!open_) ready_.arrive();
  }
  stopped_.arrive();
}

void ThreadEngine::Run::start_threads() {
  pthread_attr_t attributes{};
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, options_.stack_bytes * stack_factor());
  for (PeerThread& peer : peers_) {
    auto argument = std::make_unique<ThreadArgument>(ThreadArgument{
        [](void* run, PeerThread& served) { static_cast<Run*>(run)->serve(served); }, this, &peer});
    pthread_t thread{};
    const int error = pthread_create(&thread, &attributes, &thread_main, argument.get());
    if (error != 0) {
      const std::scoped_lock lock(failure_mutex_);
      failure_ = std::make_exception_ptr(LimitExceeded(
          "the system refused thread " + std::to_string(threads_.size() + 1) + " of " +
          std::to_string(peers_.size()) + ": " + std::generic_category().message(error)));
      break;
    }
    static_cast<void>(argument.release());
    threads_.push_back(thread);
  }
  pthread_attr_destroy(&attributes);
}

// Time begins once every peer has been built.
void ThreadEngine::Run::begin() {
  ready_.wait_for(static_cast<std::uint32_t>(threads_.size()));
  hand_out_inputs({});
  {
    const std::scoped_lock lock(failure_mutex_);
    abandoned_ = failure_ != nullptr;
  }
  shared_.clock.begin();
  open_ = true;
  open_.notify_all();
}

void ThreadEngine::Run::inject_due_faults(Time now) {
  for (; next_fault_ < faults_.size() && faults_[next_fault_].at <= now; ++next_fault_) {
    const Fault& fault = faults_[next_fault_];
    shared_.transport->send(fault.peer, {.kind = envelope_of(fault.kind)}, {});
  }
}

// So early that their peers' own threads can wait for their time.
void ThreadEngine::Run::hand_out_inputs(Time now) {
  constexpr std::chrono::milliseconds ahead{200};
  const Time until = now + shared_.clock.emulated(ahead);
  try {
    for (; input_ && input_->at <= until; input_ = setup_.inputs->next()) hand_out(*input_);
  } catch (...) {
    const std::scoped_lock lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void ThreadEngine::Run::hand_out(const Input& input) {
  const PacketHeader header{.to = input.peer, .due = input.at};
  const std::uint32_t ticket = shared_.inputs.leave(input);
  shared_.transport->send(input.peer,
                          {.kind = Envelope::Kind::input, .header = header, .result = ticket}, {});
}

std::optional<Ending> ThreadEngine::Run::ended(Time now, const Observer& observer) const {
  if (shared_.commons.census.all_finished()) return Ending::finished;
  if (observer.stop != nullptr && observer.stop->load()) return Ending::interrupted;
  if (setup_.duration > Duration::zero() && now >= Time{} + setup_.duration) return Ending::open;
  const auto first = shared_.commons.census.first_finish();
  if (now >= Time{} + setup_.limit || (first && now >= *first + setup_.grace)) return Ending::limit;
  return {};
}

// Looks every five milliseconds of real time, which bounds how late a fault can be.
Ending ThreadEngine::Run::supervise(const Observer& observer) {
  constexpr std::chrono::milliseconds look{5};
  constexpr int looks_per_tick = 20;
  for (int looks = 0;; ++looks) {
    const Time now = shared_.clock.now();
    inject_due_faults(now);
    hand_out_inputs(now);
    ended_at_ = now;
    if (observer.board != nullptr) observer.board->pass(now);
    if (const auto ending = ended(now, observer)) return *ending;
    {
      const std::scoped_lock lock(failure_mutex_);
      if (failure_) return Ending::interrupted;
    }
    if (observer.tick && looks % looks_per_tick == 0) observer.tick(now);
    static_cast<void>(stopped_.wait_until(static_cast<std::uint32_t>(threads_.size()),
                                          std::chrono::steady_clock::now() + look));
  }
}

void ThreadEngine::Run::wake_all() {
  for (std::uint32_t i = 0; i < setup_.peers; ++i)
    shared_.transport->send(PeerId{i}, {.kind = Envelope::Kind::wake}, {});
}

bool ThreadEngine::Run::stop_threads() {
  shared_.stopping.store(true, std::memory_order_release);
  wake_all();
  shared_.pool.stop();
  const RealTime deadline = std::chrono::steady_clock::now() + options_.stop_within;
  if (!stopped_.wait_until(static_cast<std::uint32_t>(threads_.size()), deadline)) {
    for (const pthread_t thread : threads_) pthread_detach(thread);
    return false;
  }
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
  return true;
}

EngineReport ThreadEngine::Run::report(Ending ending) {
  EngineReport result;
  result.ending = ending;
  result.ended = ended_at_;
  for (PeerThread& peer : peers_) peer.conclude(ended_at_, result);
  return result;
}

ThreadEngine::ThreadEngine(EngineSetup setup, ThreadOptions options) {
  preflight(setup.peers);
  run_ = std::make_unique<Run>(std::move(setup), options);
}

ThreadEngine::~ThreadEngine() = default;

EngineReport ThreadEngine::run(const Observer& observer) {
  run_->shared_.commons.observed_by(observer);
  run_->start_threads();
  run_->begin();
  const auto wall_start = std::chrono::steady_clock::now();
  const Ending ending = run_->supervise(observer);
  if (!run_->stop_threads()) {
    static_cast<void>(run_.release());  // its threads still use it
    throw StuckPeer("a peer's handler did not return in time after the run was stopped");
  }
  if (run_->failure_) std::rethrow_exception(run_->failure_);
  EngineReport result = run_->report(ending);
  result.wall = std::chrono::steady_clock::now() - wall_start;
  return result;
}

}  // namespace rhizome::core
