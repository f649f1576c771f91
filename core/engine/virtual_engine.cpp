#include "core/engine/virtual_engine.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/kernel.hpp"
#include "core/engine/virtual_run.hpp"

namespace rhizome::core {

void VirtualEngine::Run::start_once() {
  if (std::exchange(started_, true)) return;
  const std::vector<bool> present = present_at_start(setup_);
  for (std::uint32_t i = 0; i < setup_.peers; ++i)
    if (present[i]) start(hosts_[i], PeerId{i});
}

void VirtualEngine::Run::start(Host& host, PeerId id) {
  host.peer.emplace(std::move(*setup_.make_peer(id, host.incarnation)));
  ++alive_;
  effects_.clear();
  host.peer->start(now_, effects_);
  perform(host, id);
}

void VirtualEngine::Run::crash(PeerId id) {
  const Host& host = hosts_[id.value];
  if (!host.peer) return;
  if (!lines_.empty()) lines_[id.value].crash(now_, host.incarnation);
  stop(id);
}

void VirtualEngine::Run::stop(PeerId id) {
  Host& host = hosts_[id.value];
  host.peer.reset();
  host.works.clear();
  --alive_;
  if (std::exchange(host.finished, false)) --finished_;
}

void VirtualEngine::Run::leave(PeerId id) {
  Host& host = hosts_[id.value];
  if (!host.peer) return;
  effects_.clear();
  host.peer->depart(now_, effects_);
  perform(host, id);
  if (!lines_.empty()) lines_[id.value].leave(now_);
  stop(id);
}

void VirtualEngine::Run::restart(PeerId id) {
  Host& host = hosts_[id.value];
  if (host.peer) return;
  ++host.incarnation.value;
  start(host, id);
}

// Whichever comes first: the limit, or the grace after the first peer finished.
Time VirtualEngine::Run::deadline() const {
  const Time limit = Time{} + setup_.limit;
  return first_finish_ ? std::min(limit, *first_finish_ + setup_.grace) : limit;
}

// Handles the next item; false once the run has ended.
bool VirtualEngine::Run::step() {
  if (agenda_.empty() || all_finished()) {
    ending_ = Ending::finished;
    return false;
  }
  if (agenda_.next_due() > deadline()) {
    now_ = last_event_ = deadline();
    ending_ = Ending::limit;
    return false;
  }
  now_ = std::max(now_, agenda_.next_due());
  Due due = agenda_.pop([this](const Due& coming, auto nearness) { foresee(coming, nearness); });
  if (!toll_.free() && !due.paid && due.costs_handling()) {
    due.paid = true;
    agenda_.push(toll_.pay(due.peer, now_), due);
    return true;
  }
  if (handle(due)) last_event_ = now_;
  return true;
}

// Of many peers hardly any is in a cache. What an event will touch comes from memory while those
// before it are handled: first its packet and its peer, then what these point to.
void VirtualEngine::Run::foresee(const Due& due, Agenda<Due>::Nearness nearness) const {
  const Host& host = hosts_[due.peer.value];
  if (nearness == Agenda<Due>::Nearness::near) {
    prefetch(&host, sizeof(Host));
    if (due.is_packet()) store_.prefetch(due.slot);
  } else if (host.peer) {
    host.peer->prefetch(due.timer.service);
    if (due.is_packet()) store_.prefetch_payload(due.slot);
  }
}

bool VirtualEngine::Run::handle(const Due& due) {
  switch (due.kind) {
    case Due::Kind::departure:
      return depart(due);
    case Due::Kind::arrival:
      return arrive(due);
    case Due::Kind::packet:
      return handle_packet(due.slot);
    case Due::Kind::work:
      return handle_work(due);
    case Due::Kind::fault:
      return handle_fault(due);
    case Due::Kind::timer:
      break;
  }
  Host& host = hosts_[due.peer.value];
  if (!host.peer || host.incarnation != due.incarnation) return false;
  effects_.clear();
  if (!host.peer->fire(now_, due.timer, effects_)) return false;
  ++events_;
  perform(host, due.peer);
  return true;
}

bool VirtualEngine::Run::handle_work(const Due& due) {
  Host& host = hosts_[due.peer.value];
  if (!host.peer || host.incarnation != due.incarnation) return false;
  const WorkId id{due.timer.service, due.work_number};
  const auto found = std::find_if(host.works.begin(), host.works.end(),
                                  [&](const ActiveWork& active) { return active.id == id; });
  if (found == host.works.end()) return false;
  const ActiveWork active = *found;
  host.works.erase(found);
  const bool real = active.work.kind == Work::Kind::matrix;
  const WorkDone done{.id = id,
                      .took = now_ - active.started,
                      .result = real ? multiply_matrices(active.work.order, active.work.seed) : 0};
  ++events_;
  effects_.clear();
  host.peer->complete(now_, done, effects_);
  perform(host, due.peer);
  return true;
}

bool VirtualEngine::Run::handle_fault(const Due& due) {
  if (due.fault == Fault::Kind::crash) {
    crash(due.peer);
  } else if (due.fault == Fault::Kind::leave) {
    leave(due.peer);
  } else {
    restart(due.peer);  // who joins begins a life as one who restarts does
  }
  return true;
}

void VirtualEngine::Run::perform(Host& host, PeerId id) {
  for (const Effect& effect : effects_.list) {
    if (const auto* send_effect = std::get_if<Send>(&effect)) {
      send(host, *send_effect);
    } else if (const auto* arm = std::get_if<Arm>(&effect)) {
      agenda_.push(arm->due, {.kind = Due::Kind::timer,
                              .peer = id,
                              .incarnation = host.incarnation,
                              .timer = arm->id});
    } else if (const auto* work = std::get_if<StartWork>(&effect)) {
      host.works.push_back({work->id, work->work, now_});
      agenda_.push(now_ + work->work.duration, {.kind = Due::Kind::work,
                                                .peer = id,
                                                .incarnation = host.incarnation,
                                                .timer = {.service = work->id.service},
                                                .work_number = work->id.number});
    } else if (const auto* stop = std::get_if<StopWork>(&effect)) {
      std::erase_if(host.works, [&](const ActiveWork& active) { return active.id == stop->id; });
    } else if (const auto* note = std::get_if<Note>(&effect)) {
      host.recorder.note(now_, effects_.fact(*note));
    } else if (const auto* refuse = std::get_if<Refuse>(&effect)) {
      host.recorder.dropped(refuse->why);
    } else if (std::holds_alternative<Finish>(effect)) {
      finish(host, true);
      if (!first_finish_) first_finish_ = now_;
    } else if (std::holds_alternative<Rest>(effect)) {
      finish(host, true);
    } else if (std::holds_alternative<Resume>(effect)) {
      finish(host, false);
    }
  }
}

void VirtualEngine::Run::finish(Host& host, bool finished) {
  if (std::exchange(host.finished, finished) == finished) return;
  finished ? ++finished_ : --finished_;
}

bool VirtualEngine::Run::run_until(Time time) {
  start_once();
  while (agenda_.empty() || agenda_.next_due() <= time)
    if (!step()) return false;
  now_ = time;
  return true;
}

EngineReport VirtualEngine::Run::run(const Observer& observer) {
  constexpr std::uint64_t batch = 4096;  // steps between looks at the wall clock
  const auto wall_start = std::chrono::steady_clock::now();
  auto next_tick = wall_start;
  start_once();
  bool going = true;
  while (going) {
    for (std::uint64_t i = 0; i < batch && going; ++i) going = step();
    if (observer.stop != nullptr && observer.stop->load(std::memory_order_relaxed)) {
      if (going) ending_ = Ending::interrupted;
      break;
    }
    const auto wall = std::chrono::steady_clock::now();
    if (observer.tick && wall >= next_tick) {
      observer.tick(now_);
      next_tick = wall + std::chrono::milliseconds(100);
    }
  }
  EngineReport result = report();
  result.wall = std::chrono::steady_clock::now() - wall_start;
  return result;
}

EngineReport VirtualEngine::Run::report() {
  agenda_.for_each([this](const Due& due) {
    if (due.is_packet()) hosts_[store_.get(due.slot).header.to.value].recorder.in_flight(1);
  });
  EngineReport result;
  result.ending = ending_;
  result.ended = last_event_;
  result.events = events_;
  for (std::uint32_t i = 0; i < lines_.size(); ++i)
    hosts_[i].recorder.line(lines_[i].usage(last_event_));
  for (Host& host : hosts_) {
    result.recorders.push_back(std::move(host.recorder));
    result.incarnations.push_back(host.incarnation);
    result.alive.push_back(host.peer.has_value());
    result.finished.push_back(host.finished);
    if (host.peer) result.armed += host.peer->armed();
    result.working += host.works.size();
  }
  return result;
}

VirtualEngine::VirtualEngine(EngineSetup setup) : run_(std::make_unique<Run>(std::move(setup))) {}
VirtualEngine::~VirtualEngine() = default;

EngineReport VirtualEngine::run(const Observer& observer) { return run_->run(observer); }
bool VirtualEngine::run_until(Time time) { return run_->run_until(time); }
const Peer* VirtualEngine::peer(PeerId id) const {
  const auto& peer = run_->host(id).peer;
  return peer ? &*peer : nullptr;
}
const Recorder& VirtualEngine::recorder(PeerId id) const { return run_->host(id).recorder; }
Time VirtualEngine::now() const { return run_->now(); }
void VirtualEngine::crash(PeerId id) { run_->crash(id); }
void VirtualEngine::restart(PeerId id) { run_->restart(id); }

}  // namespace rhizome::core
