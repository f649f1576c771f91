#include "core/engine/host.hpp"

#include <utility>

#include "core/engine/fact_count.hpp"

namespace rhizome::core {

namespace {

std::uint32_t count(const std::vector<bool>& present, const Share& share) {
  std::uint32_t living = 0;
  for (std::uint32_t i = 0; i < present.size(); ++i)
    living += present[i] && share.runs(PeerId{i}) ? 1 : 0;
  return living;
}

}  // namespace

Commons::Commons(const EngineSetup& engine_setup, const Share& share)
    : setup(engine_setup),
      present(present_at_start(engine_setup)),
      directory(engine_setup.peers),
      census(count(present, share)),
      crowd(engine_setup.groups, engine_setup.peers),
      board(engine_setup.peers) {}

void Commons::observed_by(const Observer& observer) {
  counted = observer.counted;
  stop = observer.stop;
}

Host::Host(PeerId id, Commons& commons, Backend& backend, Effects& effects)
    : id_(id),
      commons_(commons),
      backend_(backend),
      effects_(effects),
      link_rng_(Rng::derive({commons.setup.seed, id.value}, "link")),
      recorder_(commons.setup.recording),
      works_(id_, life_, commons, backend, recorder_.vitals()) {
  effects_.details = commons.setup.recording.details;
  if (!commons.setup.access.empty())
    line_ = std::make_unique<AccessLine>(commons.setup.access[id.value]);
  if (!commons.present[id.value]) early_ = std::make_unique<std::vector<Input>>();
}

void Host::prepare() {
  peer_.emplace(std::move(*commons_.setup.make_peer(id_, life_)));
  show_presence();
}

bool Host::handle(Time now, const HostEvent& event, const Matter& matter) {
  if (witness_ != nullptr) witness_->begins(now, event, matter);
  const bool handled = befall(now, event, matter);
  if (witness_ != nullptr && !handled && event.may_be_void()) witness_->was_void();
  return handled;
}

bool Host::befall(Time now, const HostEvent& event, const Matter& matter) {
  switch (event.kind) {
    case HostEvent::Kind::start:
      start(now);
      return true;
    case HostEvent::Kind::crash:
      return crash(now);
    case HostEvent::Kind::leave:
      return leave(now);
    case HostEvent::Kind::restart:
      return revive();
    case HostEvent::Kind::adapt:
      adapt(now);
      break;
    case HostEvent::Kind::departure:
      depart(event, *matter.packet);
      break;
    case HostEvent::Kind::arrival:
      return arrive(matter);
    case HostEvent::Kind::packet:
      return deliver(now, *matter.packet);
    case HostEvent::Kind::timer:
      return fire(now, event);
    case HostEvent::Kind::work:
    case HostEvent::Kind::result:
      return complete(now, event, matter.result);
    case HostEvent::Kind::input:
      return hear(now, *matter.input);
  }
  return false;
}

void Host::start(Time now) {
  effects_.clear();
  peer_->start(now, effects_);
  perform(now);
  show_views();
  if (const auto early = std::move(early_))
    for (const Input& input : *early) hear(now, input);
}

bool Host::revive() {
  if (peer_) return false;
  ++life_.value;
  commons_.directory.begins(id_, life_);
  commons_.census.revived();
  prepare();
  return true;
}

bool Host::crash(Time now) {
  if (!peer_) return false;
  if (line_) line_->crash(now, life_);
  stop();
  return true;
}

// Ends the life once its protocols have said goodbye.
bool Host::leave(Time now) {
  if (!peer_) return false;
  effects_.clear();
  peer_->depart(now, effects_);
  quits_ = true;
  perform(now);
  return true;
}

// The host stays, to count the packets that come to a dead peer.
void Host::stop() {
  peer_.reset();
  works_.abandon();
  vitals().waiting.set(0);
  commons_.census.died(std::exchange(finished_, false));
  show_presence();
  show_views();
}

void Host::show_presence() {
  vitals().is({.life = life_, .alive = peer_.has_value(), .finished = finished_});
}

// A view changes where its own service handles a packet or a timer.
void Host::show_view(Views& views, std::size_t service) {
  if (!peer_ || service >= peer_->services().size()) return;
  std::vector<PeerId> links;
  if (const auto kind = peer_->services()[service]->view(links)) views.of(id_, *kind).show(links);
}

// A host that is down has no views.
void Host::show_views() {
  Views* views = commons_.board.wanted_views();
  if (views == nullptr) return;
  for (std::size_t kind = 0; kind < view_kinds; ++kind)
    views->of(id_, static_cast<ViewKind>(kind)).show({});
  for (std::size_t i = 0; peer_ && i < peer_->services().size(); ++i) show_view(i);
}

bool Host::deliver(Time now, const Packet& packet) {
  if (!lives(packet.header.to_incarnation)) {
    recorder_.dropped(peer_ ? Drop::stale : Drop::down);
    return false;
  }
  vitals().events.add(1);
  effects_.clear();
  const std::size_t service = packet.header.service;
  peer_->deliver(now, packet, effects_);
  const bool refused =
      !effects_.list.empty() && std::holds_alternative<Refuse>(effects_.list.front());
  if (!refused)
    recorder_.received(now, packet.header, commons_.setup.simulated_payload.weigh(packet));
  perform(now);
  show_view(service);
  return true;
}

bool Host::fire(Time now, const HostEvent& timer) {
  if (!lives(timer.life)) return false;
  const std::size_t service =
      timer.id.service;  // copied, since the handler's effects may move the timer itself
  effects_.clear();
  if (!peer_->fire(now, timer.id, effects_)) return false;
  vitals().events.add(1);
  perform(now);
  show_view(service);
  return true;
}

bool Host::hear(Time now, const Input& input) {
  if (early_) early_->push_back(input);
  if (!peer_) return false;
  vitals().events.add(1);
  effects_.clear();
  peer_->hear(now, input, effects_);
  perform(now);
  return true;
}

bool Host::complete(Time now, const HostEvent& end, const Result* result) {
  if (!lives(end.life)) return false;
  const std::optional<WorkDone> done = works_.end(now, end, result);
  if (!done) return false;
  vitals().events.add(1);
  effects_.clear();
  peer_->complete(now, *done, effects_);
  perform(now);
  return true;
}

bool Host::awaits(const HostEvent& event) const {
  if (!lives(event.life)) return false;
  if (event.kind == HostEvent::Kind::timer) {
    const auto services = peer_->services();
    return event.id.service < services.size() && services[event.id.service]->arms(event.id);
  }
  return works_.awaits(event);
}

// A packet leaves the line at which it waited until it was due.
void Host::depart(const HostEvent& departure, const Packet& packet) {
  if (line_->lost(departure.life))
    recorder_.dropped(Drop::lost);
  else
    transmit(packet.header.due, packet.header, packet.payload);
}

bool Host::arrive(const Matter& matter) {
  Packet passing = *matter.packet;
  PacketHeader& header = passing.header;
  if (!lives(header.to_incarnation)) return false;
  header.due = line_->receive(header.due, commons_.setup.simulated_payload.weigh(passing));
  backend_.hold(id_, {.kind = HostEvent::Kind::packet, .id = {.service = header.service}},
                {.packet = &passing, .number = matter.number});
  return true;
}

void Host::perform(Time now) {
  if (witness_ != nullptr) witness_->wants(effects_);
  for (const Effect& effect : effects_.list)
    std::visit([this, now](const auto& wanted) { perform(now, wanted); }, effect);
  works_.settle(now);
  if (effects_.waiting) vitals().waiting.set(*effects_.waiting);
  if (!std::exchange(quits_, false)) return;
  if (line_) line_->leave(now);
  stop();
}

void Host::perform(Time now, const Send& send) {
  const Packet packet = effects_.packet(send);
  PacketHeader header = packet.header;
  const std::size_t bytes = commons_.setup.simulated_payload.weigh(packet);
  recorder_.sent(now, header, bytes);
  const std::optional<Incarnation> life = life_of(header.to);
  if (!life) {
    recorder_.dropped(Drop::unreachable);
    return;
  }
  header.to_incarnation = *life;
  if (!has_line(header)) return transmit(now, header, packet.payload);
  header.due = line_->send(now, bytes);
  const Packet departing{header, packet.payload};
  backend_.hold(id_, {.kind = HostEvent::Kind::departure, .life = life_},
                {.packet = &departing, .number = departures_++});
}

// What links do to a packet that sets out.
void Host::transmit(Time departure, PacketHeader header, std::span<const std::byte> payload) {
  const Transmission fate = commons_.setup.links->judge(departure, header, link_rng_);
  if (fate.copies > 1) recorder_.duplicated();
  for (std::uint8_t copy = 0; copy < fate.arriving; ++copy) {
    header.due = departure + fate.after[copy];
    backend_.put(header, payload);
  }
  for (int lost = fate.copies - fate.arriving; lost > 0; --lost) recorder_.dropped(fate.why);
}

void Host::perform(Time, const Arm& arm) {
  backend_.arm(id_, arm.due, HostEvent::timer(life_, arm.id));
}

void Host::perform(Time now, const StartWork& start) {
  works_.begin(now, start.id, effects_.work(start));
}

void Host::perform(Time, const StopWork& stop) { works_.stop(stop.id); }

void Host::perform(Time now, const PaceWork& pace) { works_.pace(now, pace.id, pace.rate); }

// Nothing to do: when the time of a cancelled timer comes, the peer finds no such timer.
void Host::perform(Time, const Cancel&) {}

std::optional<Incarnation> Host::life_of(PeerId peer) {
  const std::optional<Incarnation> life = commons_.directory.life(peer);
  return witness_ == nullptr || !life ? life : witness_->sees_life(peer, *life);
}

void Host::perform(Time now, const Note& note) {
  const EncodedFact fact = effects_.fact(note);
  recorder_.note(now, fact);
  if (commons_.counted != nullptr) commons_.counted->add(fact.info);
}

void Host::perform(Time, const Refuse& refuse) { recorder_.dropped(refuse.why); }

void Host::perform(Time now, const Finish&) {
  finish(true);
  commons_.census.hurry(now);
}

void Host::perform(Time, const FinishPassively&) { finish(true); }

void Host::perform(Time, const Resume&) { finish(false); }

void Host::perform(Time, const Launch& launch) { backend_.launch(launch.peer); }

void Host::perform(Time, const Quit&) { quits_ = true; }

void Host::finish(bool finished) {
  if (std::exchange(finished_, finished) == finished) return;
  finished ? commons_.census.finished() : commons_.census.resumed();
  show_presence();
}

void Host::conclude(Time ended, EngineReport& report) {
  const std::uint64_t events = vitals().events.get();
  if (line_) recorder_.line(line_->usage(ended));
  report.recorders.push_back(std::move(recorder_));
  report.incarnations.push_back(life_);
  report.alive.push_back(peer_.has_value());
  report.finished.push_back(finished_);
  report.armed.push_back(peer_ ? peer_->armed() : std::vector<std::string>());
  report.working += works_.size();
  report.events += events;
}

}  // namespace rhizome::core
