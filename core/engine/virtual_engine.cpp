#include "core/engine/virtual_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/engine/control.hpp"
#include "core/engine/virtual_run.hpp"

namespace rhizome::core {

VirtualEngine::Run::Run(EngineSetup setup)
    : setup_(std::move(setup)), commons_(setup_), cpu_cost_(setup_.costs, setup_.peers) {
  hosts_.reserve(setup_.peers);
  for (std::uint32_t i = 0; i < setup_.peers; ++i)
    commons_.board.show(PeerId{i},
                        hosts_.emplace_back(PeerId{i}, commons_, *this, effects_).recorder());
  for (const Fault& fault : setup_.faults)
    agenda_.push(fault.at, {.fault = fault.kind, .host = fault.peer});
  if (setup_.inputs != nullptr) input_ = setup_.inputs->next({});
}

void VirtualEngine::Run::start_once() {
  if (std::exchange(started_, true)) return;
  for (std::uint32_t i = 0; i < setup_.peers; ++i) {
    if (commons_.stopped()) return;
    if (!commons_.present[i]) continue;
    hosts_[i].prepare();
    hosts_[i].handle(now_, {HostEvent::Kind::start});
  }
}

bool VirtualEngine::Run::is_over(Time next) {
  const bool open = setup_.duration > Duration::zero();
  const Time until = open ? Time{} + setup_.duration : Time::max();
  if (commons_.census.all_finished() || (!open && next == Time::max())) {
    ending_ = Ending::finished;
    return true;
  }
  const Time last = std::min(until, deadline());
  if (next <= last) return false;
  now_ = last_event_ = last;
  ending_ = last == until ? Ending::open : Ending::limit;
  return true;
}

Time VirtualEngine::Run::deadline() const {
  return deadline_of(setup_, commons_.census.first_finish());
}

// When the next thing happens; never, if nothing does.
Time VirtualEngine::Run::next() const {
  const Time due = agenda_.empty() ? Time::max() : agenda_.next_due();
  return input_ ? std::min(due, input_->at) : due;
}

// Handles the next item; false once the run has ended.
bool VirtualEngine::Run::step() {
  const Time due = agenda_.empty() ? Time::max() : agenda_.next_due();
  if (is_over(next())) return false;
  if (input_ && input_->at <= due) {  // inputs come before other events of their time
    take_input();
    return true;
  }
  now_ = std::max(now_, due);
  Due next = agenda_.pop([this](const Due& coming, auto nearness) { foresee(coming, nearness); });
  if (!cpu_cost_.free() && !next.paid && next.costs_handling()) {
    next.paid = true;
    agenda_.push(cpu_cost_.pay(next.host, now_), next);
    return true;
  }
  if (handle(next)) last_event_ = now_;
  return true;
}

// With many peers hardly any is in a cache. The data of an event are fetched while earlier events
// are handled: first its packet and its host, then the objects that these point to.
void VirtualEngine::Run::foresee(const Due& due, Agenda<Due>::Nearness nearness) const {
  const Host& host = hosts_[due.host.value];
  if (nearness == Agenda<Due>::Nearness::near) {
    prefetch(&host, sizeof(Host));
    if (due.has_packet()) store_.prefetch(due.slot);
  } else {
    host.prefetch(due.event.id.service);
    if (due.has_packet()) host.prefetch(store_.get(due.slot).header);
  }
}

bool VirtualEngine::Run::handle(const Due& due) {
  if (due.fault) return strike(*due.fault, due.host);
  if (due.has_packet()) return handle_packet(due);
  if (due.event.kind == HostEvent::Kind::input) return handle_input(due.slot);
  return hosts_[due.host.value].handle(now_, due.event);
}

bool VirtualEngine::Run::handle_packet(const Due& due) {
  const Packet packet = store_.get(due.slot);
  Host& host = hosts_[due.host.value];
  bool arrives = due.event.kind == HostEvent::Kind::arrival;
  if (arrives) arrives = host.handle(now_, due.event, {.packet = &packet});
  const bool departs = due.event.kind == HostEvent::Kind::departure;
  if (departs)
    host.handle(now_, due.event, {.packet = &packet});
  else if (!arrives)
    host.handle(now_, {HostEvent::Kind::packet}, {.packet = &packet});
  store_.release(due.slot);
  return !departs && !arrives;
}

void VirtualEngine::Run::take_input() {
  Input input = std::exchange(input_, setup_.inputs->next(now_)).value();
  now_ = std::max(now_, input.at);
  const PeerId host = input.peer;
  const std::uint32_t slot = inputs_++;
  unpaid_.emplace(slot, std::move(input));
  if (cpu_cost_.free()) {
    if (handle_input(slot)) last_event_ = now_;
  } else {
    agenda_.push(cpu_cost_.pay(host, now_),
                 {.event = {HostEvent::Kind::input}, .paid = true, .slot = slot, .host = host});
  }
}

bool VirtualEngine::Run::handle_input(std::uint32_t slot) {
  const Input input = std::move(unpaid_.extract(slot).mapped());
  return hosts_[input.peer.value].handle(now_, {HostEvent::Kind::input}, {.input = &input});
}

// A fault that was planned may find its work done by hand.
bool VirtualEngine::Run::strike(Fault::Kind fault, PeerId id) {
  const bool ends = ends_life(fault);
  if (ends != (hosts_[id.value].peer() != nullptr)) return false;
  if (fault == Fault::Kind::crash) {
    crash(id);
  } else if (ends) {
    hosts_[id.value].handle(now_, {HostEvent::Kind::leave});
  } else {
    restart(id);  // a peer that joins begins a life as one that restarts does
  }
  commons_.board.strike(fault);
  return true;
}

void VirtualEngine::Run::restart(PeerId id) {
  Host& host = hosts_[id.value];
  if (host.handle(now_, {HostEvent::Kind::restart})) host.handle(now_, {HostEvent::Kind::start});
}

void VirtualEngine::Run::arm(PeerId host, Time due, const HostEvent& event) {
  agenda_.push(due, {.event = event, .host = host});
}

void VirtualEngine::Run::hold(PeerId host, const HostEvent& event, const Matter& matter) {
  const auto& [header, payload] = *matter.packet;
  agenda_.push(header.due, {.event = event, .slot = store_.put(header, payload), .host = host});
}

void VirtualEngine::Run::put(const PacketHeader& header, std::span<const std::byte> payload) {
  // If no peer has a line, the receiver is not even looked at: it is in no cache.
  const bool line = !setup_.access.empty() && hosts_[header.to.value].has_line(header);
  const Packet packet{header, payload};
  hold(header.to,
       {.kind = line ? HostEvent::Kind::arrival : HostEvent::Kind::packet,
        .id = {.service = header.service}},
       {.packet = &packet});
}

// Begins after the present event, since a host cannot begin a life within an event of another.
void VirtualEngine::Run::launch(PeerId peer) {
  agenda_.push(now_, {.fault = Fault::Kind::join, .host = peer});
}

void VirtualEngine::Run::crowded(std::span<const PeerId> peers) {
  for (const PeerId peer : peers) hosts_[peer.value].adapt(now_);
}

bool VirtualEngine::Run::run_until(Time time) {
  start_once();
  while (next() <= time || next() == Time::max())
    if (!step()) return false;
  now_ = time;
  return true;
}

Time VirtualEngine::Run::coming() const {
  if (commons_.census.all_finished()) return now_;
  const bool open = setup_.duration > Duration::zero();
  const Time last = open ? Time{} + setup_.duration : Time::max();
  return std::min({next(), deadline(), last});
}

bool VirtualEngine::Run::settle(Duration instant) {
  while (!over_ && coming() <= now_ + instant) {
    if (commons_.stopped()) return false;
    over_ = !step();
  }
  return !over_;
}

Presence VirtualEngine::Run::presence(PeerId id) const {
  const Host& host = hosts_[id.value];
  if (host.peer() != nullptr) return Presence::up;
  const bool was_there = commons_.present[id.value] || host.life() != Incarnation{};
  return was_there ? Presence::down : Presence::to_join;
}

// Engines handle faults first, so a scenario with this fault at that time would do it before all
// other events of that time: so no other event may be due.
std::string VirtualEngine::Run::obey(Steering& steering, OperatorCommand& operator_command) {
  constexpr Duration instant{1};
  if (!settle(instant)) return "the run has ended";
  const std::string why = refusal(operator_command, setup_.peers, steering.cut().is_parted(),
                                  [this](PeerId id) { return presence(id); });
  if (!why.empty()) return why;
  now_ += instant;
  operator_command.at = now_;
  if (const auto fault = fault_of(operator_command.kind)) {
    agenda_.push(now_, {.fault = *fault, .host = operator_command.peers.front()});
    step();
  } else {
    steering.change_network(operator_command, setup_.peers);
  }
  return {};
}

void VirtualEngine::Run::obey(Steering& steering) {
  steering.drain(
      [&](OperatorCommand& operator_command) { return obey(steering, operator_command); });
}

bool VirtualEngine::Run::advance(Pace* pace) {
  // A step of a large run may take a millisecond, and an order of a user waits for the batch.
  constexpr std::uint64_t batch = 4096;
  constexpr std::uint64_t between_looks = 64;  // steps between two looks at the wall clock
  constexpr auto longest = std::chrono::milliseconds(20);
  const auto leave = pace == nullptr ? Pace::Leave{} : pace->leave(now_, coming());
  const auto began = std::chrono::steady_clock::now();
  const auto is_late = [&] { return std::chrono::steady_clock::now() - began > longest; };
  const std::uint64_t most = std::min(batch, leave.steps);
  std::uint64_t steps = 0;
  bool going = true;
  // A step may be a piece of real work, which takes its time.
  while (steps < most && going && !commons_.stopped()) {
    if (pace != nullptr && coming() > leave.until) break;
    going = step();
    if (++steps % between_looks == 0 && is_late()) break;
  }
  if (pace != nullptr) pace->taken(steps);
  return going;
}

EngineReport VirtualEngine::Run::run(const Observer& observer) {
  const auto wall_start = std::chrono::steady_clock::now();
  auto next_tick = wall_start;
  commons_.observed_by(observer);
  std::optional<BoardWatch> watched(std::in_place, observer, commons_.board);
  start_once();
  bool going = true;
  while (going) {
    if (observer.steering != nullptr) obey(*observer.steering);
    going = !over_ && advance(observer.pace);
    commons_.board.pass(now_);
    if (commons_.stopped()) {
      if (going) ending_ = Ending::interrupted;
      break;
    }
    const auto wall = std::chrono::steady_clock::now();
    if (observer.tick && wall >= next_tick) {
      observer.tick(now_);
      next_tick = wall + std::chrono::milliseconds(100);
    }
  }
  commons_.board.pass(last_event_);
  watched.reset();
  EngineReport result = report();
  result.wall = std::chrono::steady_clock::now() - wall_start;
  return result;
}

EngineReport VirtualEngine::Run::report() {
  agenda_.for_each([this](const Due& due) {
    if (due.has_packet()) hosts_[store_.get(due.slot).header.to.value].in_flight(1);
  });
  EngineReport result;
  result.ending = ending_;
  result.ended = last_event_;
  for (Host& host : hosts_) host.conclude(last_event_, result);
  return result;
}

VirtualEngine::VirtualEngine(EngineSetup setup) : run_(std::make_unique<Run>(std::move(setup))) {}
VirtualEngine::~VirtualEngine() = default;

EngineReport VirtualEngine::run(const Observer& observer) { return run_->run(observer); }
bool VirtualEngine::run_until(Time time) { return run_->run_until(time); }
const Peer* VirtualEngine::peer(PeerId id) const { return run_->host(id).peer(); }
const Recorder& VirtualEngine::recorder(PeerId id) const { return run_->host(id).recorder(); }
Time VirtualEngine::now() const { return run_->now(); }
void VirtualEngine::crash(PeerId id) { run_->crash(id); }
void VirtualEngine::restart(PeerId id) { run_->restart(id); }

}  // namespace rhizome::core
