#include "core/engine/thread_engine.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/engine/memory_watch.hpp"
#include "core/engine/peer_thread.hpp"
#include "core/engine/slim_threads.hpp"
#include "core/engine/start_barrier.hpp"
#include "core/engine/steering.hpp"
#include "core/history/history_writer.hpp"

namespace rhizome::core {

namespace {

using RealTime = std::chrono::steady_clock::time_point;

std::unique_ptr<Transport> make_transport(const Footprint& footprint) {
  return descriptors_for_direct(footprint) ? make_direct_transport(footprint.peers)
                                           : make_striped_transport(footprint.peers);
}

// The footprint of a share, in a run of so many peers in all.
Footprint footprint_of(const Share& share, std::uint32_t peers) {
  return {.peers = static_cast<std::uint32_t>(share.peers_of(peers).size()),
          .links = share.shares() - 1};
}

// A peer that joins begins a life as one that restarts does.
HostEvent event_of(Fault::Kind kind) {
  if (kind == Fault::Kind::crash) return {HostEvent::Kind::crash};
  return {kind == Fault::Kind::leave ? HostEvent::Kind::leave : HostEvent::Kind::restart};
}

}  // namespace

class ThreadEngine::Run {
 public:
  Run(EngineSetup setup, ThreadOptions options, EngineMembership membership);

  void start_threads();
  void begin();
  // Returns how the run ended for all shares.
  End supervise(const Observer& observer);
  // False when a handler did not return in time.
  [[nodiscard]] bool stop_threads();
  // Waits until all that crosses borders has come in. Throws ShareFailed when that does not happen.
  void close_border();
  // Lets no other process wait for this share.
  void abandon_border();
  [[nodiscard]] EngineReport report(const End& end);
  void close_history(HistoryEnd end);

 private:
  void serve(std::size_t i);
  void inject_due_faults(Time now);
  void obey(Steering& steering, Time now);
  [[nodiscard]] std::string obey(Steering& steering, OperatorCommand& operator_command, Time now);
  void follow_clock();
  void hand_out_inputs(Time now);
  void hand_out(const Input& input);
  void watch_memory();
  void fail(std::exception_ptr why);
  // Ends early when something fails.
  void wait_until(RealTime deadline);
  // Why the run cannot go on; empty while it can.
  [[nodiscard]] std::string failure();
  void wake(PeerId peer);
  void wake_all();

  const SmallPages small_pages_;
  const EngineSetup setup_;
  const ThreadOptions options_;
  const EngineMembership membership_;
  LoneControl lone_{setup_};
  Control& control_;
  EngineShared shared_;
  std::deque<PeerThread> peers_;
  SlimThreads threads_;
  MemoryWatch memory_;
  StartBarrier ready_;
  StartBarrier stopped_;
  std::atomic<bool> open_{false};
  std::atomic<bool> abandoned_{false};  // a factory threw: no peer starts
  std::exception_ptr failure_;
  std::mutex failure_mutex_;
  std::condition_variable failed_;
  std::vector<Fault> faults_;  // by time
  std::size_t next_fault_ = 0;
  std::vector<Presence> presence_;  // by peer, once it has taken the faults that were handed out
  std::optional<Input> input_;      // the next one
  std::chrono::nanoseconds clock_doubt_{0};  // worst difference to share 0's clock so far

  friend class ThreadEngine;
};

ThreadEngine::Run::Run(EngineSetup setup, ThreadOptions options, EngineMembership membership)
    : setup_(std::move(setup)),
      options_(std::move(options)),
      membership_(std::move(membership)),
      control_(membership_.control == nullptr ? lone_ : *membership_.control),
      shared_(setup_, options.time_scale,
              make_transport(footprint_of(membership_.share, setup_.peers)), membership_.share,
              membership_.gateway, options_.history),
      threads_(options_.stack_bytes) {
  const Share& share = membership_.share;
  for (const bool present : shared_.commons.present)
    presence_.push_back(present ? Presence::up : Presence::to_join);
  for (const PeerId peer : share.peers_of(setup_.peers))
    shared_.commons.board.show(peer, peers_.emplace_back(peer, shared_).recorder());
  if (membership_.real_latency && shared_.border != nullptr)
    shared_.border->take_as_due([this] { return shared_.clock.now(); });
  if (membership_.mirror != nullptr) shared_.commons.board.reflect(*membership_.mirror);
  std::copy_if(setup_.faults.begin(), setup_.faults.end(), std::back_inserter(faults_),
               [&share](const Fault& fault) { return share.runs(fault.peer); });
  std::stable_sort(faults_.begin(), faults_.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
  if (setup_.inputs != nullptr) input_ = setup_.inputs->next({});
}

void ThreadEngine::Run::serve(std::size_t i) {
  PeerThread& peer = peers_[i];
  try {
    if (shared_.commons.present[peer.id().value] && !shared_.commons.stopped()) peer.prepare();
    ready_.arrive();
    open_.wait(false);
    if (!abandoned_) peer.run();
  } catch (...) {
    // A factory or a handler threw: the run cannot go on, and run() throws this again.
    fail(std::current_exception());
    if (!open_) ready_.arrive();
  }
  // Each peer wakes the next: a single thread that wakes all might wait long for its turn.
  wake(peers_[(i + 1) % peers_.size()].id());
  stopped_.arrive();
}

void ThreadEngine::Run::start_threads() {
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    const int error = threads_.start([this, i] { serve(i); });
    if (error == 0) continue;
    fail(std::make_exception_ptr(LimitExceeded(
        "the system refused thread " + std::to_string(i + 1) + " of " +
        std::to_string(peers_.size()) + ": " + std::generic_category().message(error))));
    return;
  }
}

void ThreadEngine::Run::fail(std::exception_ptr why) {
  const std::scoped_lock lock(failure_mutex_);
  if (!failure_) failure_ = std::move(why);
  failed_.notify_all();
}

void ThreadEngine::Run::wait_until(RealTime deadline) {
  std::unique_lock lock(failure_mutex_);
  failed_.wait_until(lock, deadline);
}

std::string ThreadEngine::Run::failure() {
  const std::scoped_lock lock(failure_mutex_);
  if (!failure_) return {};
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "of an unknown kind";
  }
}

// Time begins once every peer has been built.
void ThreadEngine::Run::begin() {
  ready_.wait_for(threads_.size());
  hand_out_inputs({});
  const auto origin = control_.start(failure());
  abandoned_ = !origin.has_value();
  while (origin && std::chrono::steady_clock::now() < *origin) wait_until(*origin);
  shared_.clock.begin(origin.value_or(std::chrono::steady_clock::now()));
  follow_clock();
  open_ = true;
  open_.notify_all();
}

// The doubt of a clock is the bound of its measurement, and the correction that is not done yet.
void ThreadEngine::Run::follow_clock() {
  const Control::ClockState clock = control_.clock();
  shared_.clock.follow(clock.gained);
  clock_doubt_ = std::max(
      clock_doubt_, std::chrono::abs(clock.gained - shared_.clock.correction()) + clock.bound);
}

void ThreadEngine::Run::inject_due_faults(Time now) {
  for (; next_fault_ < faults_.size() && faults_[next_fault_].at <= now; ++next_fault_) {
    const Fault& fault = faults_[next_fault_];
    Presence& presence = presence_[fault.peer.value];
    if (ends_life(fault.kind) == (presence == Presence::up))
      shared_.commons.board.strike(fault.kind);
    presence = ends_life(fault.kind) ? Presence::down : Presence::up;
    shared_.commons.census.handed_out();
    shared_.transport->send(fault.peer, {.event = event_of(fault.kind)}, {});
  }
}

// Inserts the fault behind those that were due, and before all planned for later.
std::string ThreadEngine::Run::obey(Steering& steering, OperatorCommand& operator_command,
                                    Time now) {
  const std::string why = refusal(operator_command, setup_.peers, steering.cut().is_parted(),
                                  [this](PeerId id) { return presence_[id.value]; });
  if (!why.empty()) return why;
  operator_command.at = now;
  if (const auto fault = fault_of(operator_command.kind)) {
    faults_.insert(faults_.begin() + static_cast<std::ptrdiff_t>(next_fault_),
                   {now, operator_command.peers.front(), *fault});
    inject_due_faults(now);
  } else {
    steering.change_network(operator_command, setup_.peers);
  }
  return {};
}

void ThreadEngine::Run::obey(Steering& steering, Time now) {
  steering.drain(
      [&](OperatorCommand& operator_command) { return obey(steering, operator_command, now); });
}

// Inputs are handed out early, so that their peers' own threads can wait for their time.
void ThreadEngine::Run::hand_out_inputs(Time now) {
  constexpr std::chrono::milliseconds ahead{200};
  const Time until = now + shared_.clock.emulated(ahead);
  try {
    if (!input_ && setup_.inputs != nullptr && setup_.inputs->awaits())
      input_ = setup_.inputs->next(now);
    for (; input_ && input_->at <= until; input_ = setup_.inputs->next(now))
      if (membership_.share.runs(input_->peer)) hand_out(*input_);
  } catch (...) {
    fail(std::current_exception());
  }
}

void ThreadEngine::Run::hand_out(const Input& input) {
  const std::uint32_t ticket = shared_.inputs.leave(input);
  shared_.transport->send(input.peer,
                          {.event = HostEvent{HostEvent::Kind::input},
                           .header = {.to = input.peer, .due = input.at},
                           .number = ticket},
                          {});
}

void ThreadEngine::Run::watch_memory() {
  try {
    memory_.look(options_.memory_room(), std::chrono::steady_clock::now());
  } catch (...) {
    fail(std::current_exception());
  }
}

// Looks every five milliseconds of real time, which bounds how late a fault can be, or as often as
// it is its turn. A run that is over has no more faults.
End ThreadEngine::Run::supervise(const Observer& observer) {
  constexpr std::chrono::milliseconds look{5};
  constexpr std::chrono::milliseconds tick{100};
  for (RealTime ticked{};;) {
    follow_clock();
    const Time now = shared_.clock.now();
    hand_out_inputs(now);
    shared_.commons.board.pass(now);
    const Sight sight{.now = now,
                      .tally = shared_.commons.census.tally(),
                      .stop = observer.stop != nullptr && observer.stop->load(),
                      .failure = failure()};
    if (const auto end = control_.look(sight)) return *end;
    if (!control_.may_have_ended()) {
      inject_due_faults(now);
      if (observer.steering != nullptr) obey(*observer.steering, now);
    }
    const RealTime looked = std::chrono::steady_clock::now();
    if (looked - ticked >= tick) {
      ticked = looked;
      watch_memory();
      if (observer.tick) observer.tick(now);
    }
    wait_until(looked + look);
  }
}

void ThreadEngine::Run::wake_all() {
  for (const PeerThread& peer : peers_) wake(peer.id());
}

void ThreadEngine::Run::wake(PeerId peer) { shared_.transport->send(peer, {}, {}); }

bool ThreadEngine::Run::stop_threads() {
  shared_.stopping.store(true, std::memory_order_release);
  wake_all();
  shared_.pool.stop();
  const RealTime asked = std::chrono::steady_clock::now();
  bool all = stopped_.wait_until(threads_.size(), asked + options_.stop_within / 2);
  if (!all && setup_.hang_up) setup_.hang_up();
  all = stopped_.wait_until(threads_.size(), asked + options_.stop_within);
  all ? threads_.join() : threads_.detach();
  return all;
}

void ThreadEngine::Run::close_border() {
  if (shared_.border == nullptr) return;
  constexpr std::chrono::milliseconds look{100};  // interval between looks for lost shares
  const RealTime deadline = std::chrono::steady_clock::now() + options_.stop_within;
  for (;;) {
    const std::uint64_t expected = control_.close(shared_.border->handed_over());
    const RealTime now = std::chrono::steady_clock::now();
    if (shared_.border->wait_for(expected, std::min(deadline, now + look))) return;
    if (now > deadline)
      throw ShareFailed(std::to_string(expected - shared_.border->came_in()) +
                        " packets of other shares have not come in");
  }
}

void ThreadEngine::Run::abandon_border() {
  if (shared_.border != nullptr) control_.abandon(shared_.border->handed_over());
}

EngineReport ThreadEngine::Run::report(const End& end) {
  EngineReport result;
  result.ending = end.ending;
  result.ended = end.at;
  count_kept(peers_, setup_.peers);
  for (PeerThread& peer : peers_) peer.conclude(end.at, result);
  result.fidelity.clock_doubt = shared_.clock.emulated(clock_doubt_);
  return result;
}

// Writes all that a replay needs; for a failed run, up to the failure.
void ThreadEngine::Run::close_history(HistoryEnd end) {
  if (shared_.history == nullptr) return;
  for (PeerThread& peer : peers_) peer.close_history();
  shared_.history->end(end);
}

ThreadEngine::ThreadEngine(EngineSetup setup, ThreadOptions options, EngineMembership membership) {
  preflight(footprint_of(membership.share, setup.peers));
  run_ = std::make_unique<Run>(std::move(setup), std::move(options), std::move(membership));
}

ThreadEngine::~ThreadEngine() = default;

Gateway& ThreadEngine::entrance() { return *run_->shared_.border; }

// A thread that has started thousands of others has used up its share of a fair scheduler, and may
// wait for seconds for its next turn. So another thread conducts the run, and the caller sleeps: it
// has used little time, and handles a signal at once.
EngineReport ThreadEngine::run(const Observer& observer) {
  try {
    return std::async(std::launch::async, [&] { return conduct(observer); }).get();
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    throw LimitExceeded(std::string("the system refused the thread that conducts the run: ") +
                        error.code().message());
  }
}

EngineReport ThreadEngine::conduct(const Observer& observer) {
  run_->shared_.commons.observed_by(observer);
  std::optional<BoardWatch> watched(std::in_place, observer, run_->shared_.commons.board);
  run_->start_threads();
  run_->begin();
  const auto wall_start = std::chrono::steady_clock::now();
  const End end = run_->supervise(observer);
  if (!run_->stop_threads()) {
    static_cast<void>(run_.release());  // its threads still use it
    throw StuckPeer("a peer's handler did not return in time after the run was stopped");
  }
  std::exception_ptr failure = run_->failure_;
  if (!failure && !end.failure.empty()) failure = std::make_exception_ptr(ShareFailed(end.failure));
  if (failure) {
    run_->close_history({.ending = end.ending, .ended = end.at, .failure = run_->failure()});
    run_->abandon_border();
    std::rethrow_exception(failure);
  }
  run_->close_border();
  run_->shared_.commons.board.pass(end.at);
  watched.reset();
  EngineReport result = run_->report(end);
  run_->shared_.transport->close();
  result.wall = std::chrono::steady_clock::now() - wall_start;
  run_->close_history({result.ending, result.ended, result.fidelity, result.wall});
  return result;
}

}  // namespace rhizome::core
