#include "core/engine/virtual_engine.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/agenda.hpp"
#include "core/engine/kernel.hpp"
#include "core/engine/toll.hpp"

namespace rhizome::core {

namespace {

// Something due. Timers and works name the life of the peer that asked for them.
struct Due {
  enum class Kind : std::uint8_t { packet, timer, work, fault };
  Kind kind;
  Fault::Kind fault = Fault::Kind::crash;
  bool paid = false;       // waited for its handling already
  std::uint32_t slot = 0;  // of a packet: in the store
  PeerId peer{};
  Incarnation incarnation{};
  TimerId timer{};
  std::uint32_t work_number = 0;  // with timer.service
};

// Packets under way. Slots are reused with the memory of their payloads.
class PacketStore {
 public:
  std::uint32_t put(const PacketHeader& header, std::span<const std::byte> payload) {
    std::uint32_t slot = static_cast<std::uint32_t>(packets_.size());
    if (free_.empty()) {
      packets_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    packets_[slot].header = header;
    packets_[slot].payload.assign(payload.begin(), payload.end());
    return slot;
  }
  [[nodiscard]] Packet get(std::uint32_t slot) const {
    return {packets_[slot].header, packets_[slot].payload};
  }
  void release(std::uint32_t slot) { free_.push_back(slot); }

 private:
  struct Stored {
    PacketHeader header;
    Bytes payload;
  };
  std::vector<Stored> packets_;
  std::vector<std::uint32_t> free_;
};

struct ActiveWork {
  WorkId id;
  Work work;
  Time started;
};

// All that the engine keeps about one address.
struct Host {
  Host(PeerId id, const EngineSetup& setup)
      : link_rng(Rng::derive({setup.seed, id.value}, "link")), recorder(setup.recording) {}
  std::unique_ptr<Peer> peer;  // empty while it is down
  Incarnation incarnation;
  bool finished = false;
  Rng link_rng;
  Recorder recorder;
  std::vector<ActiveWork> works;
};

}  // namespace

class VirtualEngine::Run {
 public:
  explicit Run(EngineSetup setup) : setup_(std::move(setup)), toll_(setup_.costs, setup_.peers) {
    hosts_.reserve(setup_.peers);
    for (std::uint32_t i = 0; i < setup_.peers; ++i) hosts_.emplace_back(PeerId{i}, setup_);
    for (const Fault& fault : setup_.faults)
      agenda_.push(fault.at, {.kind = Due::Kind::fault, .fault = fault.kind, .peer = fault.peer});
  }

  EngineReport run(const Observer& observer);
  bool run_until(Time time);
  void crash(PeerId id);
  void leave(PeerId id);
  void restart(PeerId id);

  [[nodiscard]] const Host& host(PeerId id) const { return hosts_[id.value]; }
  [[nodiscard]] Time now() const { return now_; }

 private:
  void start_once();
  void start(Host& host, PeerId id);
  bool step();
  [[nodiscard]] PeerId handler_of(const Due& due) const;
  bool handle(const Due& due);
  bool handle_packet(std::uint32_t slot);
  bool handle_work(const Due& due);
  bool handle_fault(const Due& due);
  void perform(Host& host, PeerId id);
  void send(Host& sender, const Send& send);
  void finish(Host& host);
  [[nodiscard]] bool all_finished() const { return finished_ == alive_ && finished_ > 0; }
  [[nodiscard]] Time deadline() const;
  [[nodiscard]] EngineReport report();

  EngineSetup setup_;
  Toll toll_;
  std::vector<Host> hosts_;
  Agenda<Due> agenda_;
  PacketStore store_;
  Effects effects_;
  Time now_{};
  Time last_event_{};
  std::optional<Time> first_finish_;
  std::uint32_t alive_ = 0;
  std::uint32_t finished_ = 0;
  std::uint64_t events_ = 0;
  bool started_ = false;
  Ending ending_ = Ending::limit;
};

void VirtualEngine::Run::start_once() {
  if (std::exchange(started_, true)) return;
  const std::vector<bool> present = present_at_start(setup_);
  for (std::uint32_t i = 0; i < setup_.peers; ++i)
    if (present[i]) start(hosts_[i], PeerId{i});
}

void VirtualEngine::Run::start(Host& host, PeerId id) {
  host.peer = setup_.make_peer(id, host.incarnation);
  ++alive_;
  effects_.clear();
  host.peer->start(now_, effects_);
  perform(host, id);
}

void VirtualEngine::Run::crash(PeerId id) {
  Host& host = hosts_[id.value];
  if (!host.peer) return;
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
  crash(id);
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
  Due due = agenda_.pop();
  if (!toll_.free() && !due.paid && due.kind != Due::Kind::fault) {
    due.paid = true;
    agenda_.push(toll_.pay(handler_of(due), now_), due);
    return true;
  }
  if (handle(due)) last_event_ = now_;
  return true;
}

PeerId VirtualEngine::Run::handler_of(const Due& due) const {
  return due.kind == Due::Kind::packet ? store_.get(due.slot).header.to : due.peer;
}

bool VirtualEngine::Run::handle(const Due& due) {
  switch (due.kind) {
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

bool VirtualEngine::Run::handle_packet(std::uint32_t slot) {
  const Packet packet = store_.get(slot);
  const PeerId to = packet.header.to;
  Host& host = hosts_[to.value];
  effects_.clear();
  if (!host.peer) {
    host.recorder.dropped(Drop::down);
  } else if (host.incarnation != packet.header.to_incarnation) {
    host.recorder.dropped(Drop::stale);
  } else {
    ++events_;
    host.peer->deliver(now_, packet, effects_);
    const bool refused =
        !effects_.list.empty() && std::holds_alternative<Refuse>(effects_.list.front());
    if (!refused) host.recorder.received(now_, packet.header, packet.bytes());
    perform(host, to);
  }
  store_.release(slot);
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
      host.recorder.note({now_, id, note->fact});
    } else if (const auto* refuse = std::get_if<Refuse>(&effect)) {
      host.recorder.dropped(refuse->why);
    } else if (std::holds_alternative<Finish>(effect)) {
      finish(host);
    }
  }
}

void VirtualEngine::Run::finish(Host& host) {
  if (std::exchange(host.finished, true)) return;
  ++finished_;
  if (!first_finish_) first_finish_ = now_;
}

void VirtualEngine::Run::send(Host& sender, const Send& send) {
  const Packet packet = effects_.packet(send);
  PacketHeader header = packet.header;
  sender.recorder.sent(now_, header, packet.bytes());
  if (header.to.value >= hosts_.size()) {
    sender.recorder.dropped(Drop::unreachable);
    return;
  }
  header.to_incarnation = hosts_[header.to.value].incarnation;
  const Transmission fate = setup_.links->judge(now_, header, sender.link_rng);
  if (fate.copies > 1) sender.recorder.duplicated();
  for (std::uint8_t copy = 0; copy < fate.arriving; ++copy) {
    header.due = now_ + fate.after[copy];
    agenda_.push(header.due,
                 {.kind = Due::Kind::packet, .slot = store_.put(header, packet.payload)});
  }
  for (int lost = fate.copies - fate.arriving; lost > 0; --lost) sender.recorder.dropped(fate.why);
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
    if (due.kind == Due::Kind::packet)
      hosts_[store_.get(due.slot).header.to.value].recorder.in_flight(1);
  });
  EngineReport result;
  result.ending = ending_;
  result.ended = last_event_;
  result.events = events_;
  for (Host& host : hosts_) {
    result.recorders.push_back(std::move(host.recorder));
    result.incarnations.push_back(host.incarnation);
    result.alive.push_back(host.peer != nullptr);
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
const Peer* VirtualEngine::peer(PeerId id) const { return run_->host(id).peer.get(); }
const Recorder& VirtualEngine::recorder(PeerId id) const { return run_->host(id).recorder; }
Time VirtualEngine::now() const { return run_->now(); }
void VirtualEngine::crash(PeerId id) { run_->crash(id); }
void VirtualEngine::restart(PeerId id) { run_->restart(id); }

}  // namespace rhizome::core
