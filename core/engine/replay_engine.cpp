#include "core/engine/replay_engine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/engine/replay_run.hpp"

namespace rhizome::core {

ReplayEngine::Run::Station::Station(PeerId id, Run& run, std::span<const std::byte> entries)
    : track(entries),
      record(track, [&run, id](const Effects& effects) { run.look_for(id, effects); }),
      host(id, run.commons_, run, run.effects_) {
  host.witnessed_by(record);
}

ReplayEngine::Run::Run(EngineSetup setup, const History& history, ReplayStop stop)
    : setup_(std::move(setup)), history_(history), stop_(std::move(stop)), commons_(setup_) {
  if (history.tracks.size() != setup_.peers)
    throw Divergence(fmt::format("the record is of {} peers, and the scenario has {}",
                                 history.tracks.size(), setup_.peers));
  for (std::uint32_t i = 0; i < setup_.peers; ++i) {
    Station& station = stations_.emplace_back(PeerId{i}, *this, history.tracks[i]);
    commons_.board.show(PeerId{i}, station.host.recorder());
    line_up(PeerId{i});
  }
}

EngineReport ReplayEngine::Run::run(const Observer& observer) {
  const auto wall_start = std::chrono::steady_clock::now();
  auto next_tick = wall_start;
  constexpr std::uint64_t batch = 4096;  // events between looks at the wall clock
  commons_.observed_by(observer);
  for (Station& station : stations_)
    if (commons_.present[station.host.id().value]) station.host.prepare();
  while (!commons_.stopped() && step()) {
    if (!observer.tick || events_ % batch != 0) continue;
    const auto wall = std::chrono::steady_clock::now();
    if (wall < next_tick) continue;
    observer.tick(now_);
    next_tick = wall + std::chrono::milliseconds(100);
  }
  if (whole_) check_end();
  return report();
}

void ReplayEngine::Run::line_up(PeerId id) {
  const TrackReader& track = at(id).track;
  if (track.event() != nullptr)
    next_.emplace(track.now(), id);
  else if (!track.at_end())
    differ(track.now(), id, "the record of its host begins with no event");
}

// All earlier events have been replayed by now, so a packet that is missing for an earlier event
// will not come any more: its sender had handled the event that made it send no later.
bool ReplayEngine::Run::step() {
  if (!waiting_.empty() && (next_.empty() || waiting_.begin()->first < next_.begin()->first))
    differ_for_want(*waiting_.begin());
  if (hit_) return false;
  if (next_.empty()) {
    whole_ = true;
    return false;
  }
  const Turn turn = *next_.begin();
  if (stop_.until && turn.first > *stop_.until) return false;
  next_.erase(next_.begin());
  Station& station = at(turn.second);
  const RecordedEvent event = *station.track.event();
  if (misses_packet(event)) {
    waiting_.insert(turn);
    awaited_.emplace(std::pair(event.from, event.number), turn.second);
    return true;
  }
  now_ = turn.first;
  last_ = turn.second;
  ++events_;
  handle(station, event);
  line_up(turn.second);
  return true;
}

bool ReplayEngine::Run::misses_packet(const RecordedEvent& event) const {
  if (!event.has_packet() || event.kind == HostEvent::Kind::departure) return false;
  if (event.from.value >= stations_.size())
    differ(now_, event.from, "there is no such peer, and packets came of it");
  return !stations_[event.from.value].sent.contains(event.number);
}

void ReplayEngine::Run::handle(Station& station, const RecordedEvent& event) {
  const PeerId id = station.host.id();
  try {
    station.track.enter();
    handle_now(station, event);
    if (!station.track.leave()) throw Unlike("the peer does less than it did");
  } catch (const Unlike& unlike) {
    differ(now_, id, text_of(event) + ": " + unlike.what());
  }
}

void ReplayEngine::Run::handle_now(Station& station, const RecordedEvent& event) {
  Host& host = station.host;
  switch (event.kind) {
    case HostEvent::Kind::departure:
      return depart(station, event.number);
    case HostEvent::Kind::arrival:
    case HostEvent::Kind::packet:
      return take_packet(station, event);
    case HostEvent::Kind::input:
      return hear(station, event.number);
    default:
      break;
  }
  if (event.kind == HostEvent::Kind::start && host.peer() == nullptr)
    throw Unlike("no peer is there to start");
  HostEvent again = event;
  again.life = host.life();
  const bool real = event.kind == HostEvent::Kind::result;
  if (!host.handle(now_, again, {.result = real ? &event.result : nullptr}) && event.may_be_void())
    throw Unlike(event.kind == HostEvent::Kind::timer ? "the timer is not armed"
                                                      : "the work does not go on");
}

void ReplayEngine::Run::take_packet(Station& station, const RecordedEvent& event) {
  const auto found = at(event.from).sent.find(event.number);
  if (found->second.header.to != station.host.id())
    throw Unlike(fmt::format("it was sent to peer {}", found->second.header.to.value));
  if (event.kind == HostEvent::Kind::arrival) {
    if (!station.host.has_line(found->second.header)) throw Unlike("it passes no line");
    const Packet packet = found->second.packet();
    station.host.handle(now_, event, {.packet = &packet, .number = event.number});
    return;
  }
  const Letter letter = std::move(found->second);
  at(event.from).sent.erase(found);
  --station.coming;
  const Packet packet = letter.packet();
  station.host.handle(now_, event, {.packet = &packet, .number = event.number});
}

void ReplayEngine::Run::depart(Station& station, std::uint64_t number) {
  const auto found = station.at_line.find(number);
  if (found == station.at_line.end()) throw Unlike("it does not wait there");
  const Departure departure = std::move(found->second);
  station.at_line.erase(found);
  const Packet packet = departure.letter.packet();
  station.host.handle(now_, departure.event, {.packet = &packet, .number = number});
}

// Inputs come from their source again, in its order.
void ReplayEngine::Run::hear(Station& station, std::uint64_t ticket) {
  while (tickets_ <= ticket) {
    std::optional<Input> input;
    if (setup_.inputs != nullptr) input = setup_.inputs->next(now_);
    if (!input) throw Unlike("there are not so many inputs");
    inputs_.emplace(tickets_++, *std::move(input));
  }
  const auto found = inputs_.find(ticket);
  if (found == inputs_.end()) throw Unlike("it has been heard already");
  if (found->second.peer != station.host.id())
    throw Unlike(fmt::format("it is for peer {}", found->second.peer.value));
  const Input input = std::move(found->second);
  inputs_.erase(found);
  station.host.handle(now_, {HostEvent::Kind::input}, {.input = &input, .number = ticket});
}

// A packet that is at the line of its receiver stays where it is until the record says that it is
// delivered, with the time at which it has passed.
void ReplayEngine::Run::hold(PeerId host, const HostEvent& event, const Matter& matter) {
  const auto& [header, payload] = *matter.packet;
  if (event.kind == HostEvent::Kind::packet)
    at(header.from).sent.at(matter.number).header.due = header.due;
  else
    at(host).at_line.emplace(matter.number,
                             Departure{event, {header, {payload.begin(), payload.end()}}});
}

void ReplayEngine::Run::put(const PacketHeader& header, std::span<const std::byte> payload) {
  const std::uint64_t number = at(header.from).packets++;
  at(header.from).sent.emplace(number, Letter{header, {payload.begin(), payload.end()}});
  ++at(header.to).coming;
  const auto awaited = awaited_.find({header.from, number});
  if (awaited == awaited_.end()) return;
  const PeerId waiter = awaited->second;
  awaited_.erase(awaited);
  waiting_.erase({at(waiter).track.now(), waiter});
  line_up(waiter);
}

void ReplayEngine::Run::crowded(std::span<const PeerId> peers) {
  if (std::find(peers.begin(), peers.end(), last_) != peers.end()) at(last_).host.adapt(now_);
}

void ReplayEngine::Run::look_for(PeerId peer, const Effects& effects) {
  if (!stop_.at) return;
  for (const Effect& effect : effects.list)
    if (const auto* note = std::get_if<Note>(&effect))
      hit_ = hit_ || stop_.at(peer, now_, effects.fact(*note));
}

void ReplayEngine::Run::differ(Time at, PeerId peer, const std::string& how) const {
  throw Divergence(fmt::format("the replay differs from the record at {:.9f} s, at peer {}: {}",
                               seconds(at), peer.value, how));
}

void ReplayEngine::Run::differ_for_want(Turn turn) {
  const RecordedEvent& event = *at(turn.second).track.event();
  differ(turn.first, turn.second, text_of(event) + ": it has not been sent by then");
}

// A replay of a run that failed would have thrown by now.
void ReplayEngine::Run::check_end() const {
  if (!history_.end.failure.empty())
    throw Divergence("the replay came to the end of a record that ended otherwise: " +
                     history_.end.failure);
}

EngineReport ReplayEngine::Run::report() {
  EngineReport result;
  result.ending = whole_ ? history_.end.ending : Ending::interrupted;
  result.ended = whole_ ? history_.end.ended : now_;
  result.fidelity = history_.end.fidelity;
  result.wall = history_.end.wall;
  for (Station& station : stations_) {
    station.host.in_flight(station.coming + station.at_line.size());
    station.host.conclude(result.ended, result);
  }
  return result;
}

ReplayEngine::ReplayEngine(EngineSetup setup, const History& history, ReplayStop stop)
    : run_(std::make_unique<Run>(std::move(setup), history, std::move(stop))) {}
ReplayEngine::~ReplayEngine() = default;

EngineReport ReplayEngine::run(const Observer& observer) { return run_->run(observer); }
bool ReplayEngine::whole() const { return run_->whole(); }
Time ReplayEngine::now() const { return run_->now(); }
std::uint64_t ReplayEngine::events() const { return run_->events(); }
PeerId ReplayEngine::last() const { return run_->last(); }
const Peer* ReplayEngine::peer(PeerId id) const { return run_->host(id).peer(); }
const Host& ReplayEngine::host(PeerId id) const { return run_->host(id); }

}  // namespace rhizome::core
