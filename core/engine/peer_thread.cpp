#include "core/engine/peer_thread.hpp"

#include <span>
#include <string>
#include <utility>

#include "core/history/history_writer.hpp"

namespace rhizome::core {

namespace {

Vitals::Measure measure_of(const Fidelity& fidelity, const Histogram& lags) {
  if (&lags == &fidelity.packet_lag) return Vitals::Measure::packet;
  if (&lags == &fidelity.timer_lag) return Vitals::Measure::timer;
  return &lags == &fidelity.work_lag ? Vitals::Measure::work : Vitals::Measure::handler;
}

Result result_in(const Delivery& delivery) {
  const auto* text = reinterpret_cast<const char*>(delivery.payload.data());
  return {.value = std::string(text, delivery.payload.size()),
          .verdict = delivery.envelope.verdict};
}

}  // namespace

EngineShared::EngineShared(const EngineSetup& setup, double time_scale,
                           std::unique_ptr<Transport> local, const Share& share, Gateway* gateway,
                           std::shared_ptr<HistoryWriter> recorded_in)
    : commons(setup, share),
      clock(time_scale),
      transport(std::move(local)),
      pool(
          [this](const WorkPool::Ticket& ticket, const Result& result) {
            transport->send(
                ticket.peer,
                {.event = HostEvent::result_of(ticket.life, ticket.id), .verdict = result.verdict},
                std::as_bytes(std::span(result.value)));
          },
          Allotment(setup.groups)),
      history(std::move(recorded_in)) {
  if (share.is_all()) return;
  auto bordered = std::make_unique<Border>(share, setup.peers, std::move(transport), *gateway,
                                           commons.directory);
  border = bordered.get();
  transport = std::move(bordered);
}

PeerThread::PeerThread(PeerId id, EngineShared& shared)
    : shared_(shared),
      inbox_(shared.transport->inbox(id)),
      host_(id, shared.commons, *this, effects_) {
  if (shared.history == nullptr) return;
  track_ = std::make_unique<TrackWriter>(id, *shared.history);
  host_.witnessed_by(*track_);
}

void PeerThread::run() {
  now_ = shared_.clock.now();
  if (host_.peer() != nullptr) {
    start();
    idle_since(Time{});
  }
  while (!shared_.over()) step();
}

void PeerThread::start() {
  host_.handle(now_, {HostEvent::Kind::start});
  after_handler();
}

// One step: handles an event that is due, else the next message, else sleeps until either comes.
void PeerThread::step() {
  if (!agenda_.empty() && agenda_.next_due() <= now_) {
    const Due due = agenda_.pop();
    handle(due);
    return;
  }
  std::optional<std::chrono::nanoseconds> wait;
  if (!agenda_.empty()) wait = shared_.clock.real(agenda_.next_due() - now_);
  const auto delivery = inbox_.receive(wait);
  now_ = shared_.clock.now();
  if (!delivery) return;
  const std::uint64_t depth = inbox_.depth();
  fidelity_.inbox_depth.add(static_cast<std::int64_t>(depth));
  host_.vitals().inbox.set(static_cast<std::uint32_t>(depth));
  receive(*delivery);
}

void PeerThread::receive(const Delivery& delivery) {
  const auto& [event, header, verdict, number] = delivery.envelope;
  if (!event) return;
  switch (event->kind) {
    case HostEvent::Kind::packet:
      accept({{header, delivery.payload}, number});
      break;
    case HostEvent::Kind::input:
      agenda_.push(header.due, {.event = *event, .at = header.due, .number = number});
      break;
    case HostEvent::Kind::result:
      complete(delivery);
      break;
    case HostEvent::Kind::adapt:
      host_.handle(now_, *event);
      break;
    default:
      strike(*event);
  }
}

// Real work is due at no time, so that its end is never late. Not inlined, because its result would
// deepen the stack of every event by a page of memory for each peer.
[[gnu::noinline]] void PeerThread::complete(const Delivery& delivery) {
  const Result result = result_in(delivery);
  if (host_.handle(now_, *delivery.envelope.event, {.result = &result})) after_handler();
}

void PeerThread::strike(const HostEvent& fault) {
  const bool done = host_.handle(now_, fault);
  if (done && fault.kind == HostEvent::Kind::leave) after_handler();
  if (done && fault.kind == HostEvent::Kind::restart) {
    if (shared_.border != nullptr) shared_.border->tell(host_.id(), host_.life());
    now_ = shared_.clock.now();
    start();
  }
  shared_.commons.census.taken();
}

void PeerThread::handle(const Due& due) {
  switch (due.event.kind) {
    case HostEvent::Kind::arrival:
      arrive({{due.header, due.payload}, due.number});
      break;
    case HostEvent::Kind::packet:
      deliver({{due.header, due.payload}, due.number});
      break;
    case HostEvent::Kind::input: {
      const Input input = shared_.inputs.take(static_cast<std::uint32_t>(due.number));
      if (host_.handle(now_, due.event, {.input = &input, .number = due.number}))
        handled(fidelity_.timer_lag, due.at);
      break;
    }
    default: {
      const Packet departing{due.header, due.payload};
      if (!host_.handle(now_, due.event, {.packet = &departing, .number = due.number})) break;
      const bool timer = due.event.kind == HostEvent::Kind::timer;
      handled(timer ? fidelity_.timer_lag : fidelity_.work_lag, due.at);
    }
  }
}

// A packet whose time has not come waits here: the latency of the link.
void PeerThread::accept(const Incoming& incoming) {
  const PacketHeader& header = incoming.packet.header;
  const bool line = host_.has_line(header);
  if (header.due > now_)
    keep({line ? HostEvent::Kind::arrival : HostEvent::Kind::packet}, incoming.matter());
  else if (line)
    arrive(incoming);
  else
    deliver(incoming);
}

// Reckoned from when it was due here, however late this thread is.
void PeerThread::arrive(const Incoming& incoming) {
  if (!host_.handle(now_, {HostEvent::Kind::arrival}, incoming.matter())) deliver(incoming);
}

void PeerThread::deliver(const Incoming& incoming) {
  const PacketHeader& header = incoming.packet.header;
  const Duration lag = now_ - header.due;
  const bool crossed = shared_.border != nullptr && !shared_.border->runs(header.from);
  if (!host_.handle(now_, {HostEvent::Kind::packet}, incoming.matter())) return;
  if (crossed) fidelity_.crossing_lag.add(lag.count());
  handled(fidelity_.packet_lag, header.due);
}

void PeerThread::keep(const HostEvent& event, const Matter& matter) {
  const auto& [header, payload] = *matter.packet;
  agenda_.push(header.due, {.event = event,
                            .at = header.due,
                            .header = header,
                            .payload = {payload.begin(), payload.end()},
                            .number = matter.number});
}

void PeerThread::handled(Histogram& lags, Time due) {
  measure(lags, now_ - due);
  idle_since(due);
  after_handler();
}

void PeerThread::measure(Histogram& lags, Duration lag) {
  lags.add(lag.count());
  host_.vitals()
      .punctuality_of(measure_of(fidelity_, lags))
      .add(lag, shared_.commons.setup.lag_tolerance);
}

void PeerThread::idle_since(Time due) {
  const Duration tolerance = shared_.commons.setup.lag_tolerance;
  if (tolerance > Duration::zero() && now_ - due > tolerance)
    fidelity_.stalled({.peer = host_.id(), .from = due, .until = now_});
}

// Handlers are timed by one look at the clock, which is also the next event's time.
void PeerThread::after_handler() {
  const Time began = std::exchange(now_, shared_.clock.now());
  effects_.slim();
  measure(fidelity_.handler_time, now_ - began);
  idle_since(began);
}

void PeerThread::arm(PeerId, Time due, const HostEvent& event) {
  agenda_.push(due, {.event = event, .at = due});
}

void PeerThread::hold(PeerId, const HostEvent& event, const Matter& packet) { keep(event, packet); }

// Once the run is over packets are not sent, since one handler may have thousands that no peer
// would hear.
void PeerThread::put(const PacketHeader& header, std::span<const std::byte> payload) {
  if (shared_.over())
    kept_.push_back(header.to);
  else if (shared_.border == nullptr)
    shared_.transport->send(
        header.to,
        {.event = HostEvent{HostEvent::Kind::packet}, .header = header, .number = packets_++},
        payload);
  else if (const auto refused = shared_.border->carry(header, payload))
    host_.dropped(*refused);
}

bool PeerThread::begin(PeerId host, Incarnation life, WorkId id, const Work& work) {
  const EngineSetup& setup = shared_.commons.setup;
  auto computation = setup.nodes == nullptr ? nullptr : setup.nodes->compute(host, work);
  if (!computation) computation = computation_of(setup.kinds, work);
  if (!computation) return false;
  shared_.pool.submit({host, life, id}, std::move(computation));
  return true;
}

void PeerThread::pace(PeerId host, Incarnation life, WorkId id, double rate) {
  shared_.pool.pace({host, life, id}, rate);
}

void PeerThread::abandon(PeerId host, Incarnation life, WorkId id) {
  shared_.pool.cancel({host, life, id});
}

// Nodes are launched in this share only; other shares do not hear of it.
void PeerThread::launch(PeerId peer) {
  shared_.commons.census.handed_out();
  shared_.transport->send(peer, {.event = HostEvent{HostEvent::Kind::restart}}, {});
}

// Each peer adapts in its own thread; until it hears of the change, it works at the former share.
void PeerThread::crowded(std::span<const PeerId> peers) {
  for (const PeerId peer : peers) {
    if (peer == host_.id())
      host_.adapt(now_);
    else if (shared_.border == nullptr || shared_.border->runs(peer))
      shared_.transport->send(peer, {.event = HostEvent{HostEvent::Kind::adapt}}, {});
  }
}

void count_kept(std::deque<PeerThread>& threads, std::uint32_t peers) {
  std::vector<PeerThread*> here(peers, nullptr);  // by peer
  for (PeerThread& thread : threads) here[thread.id().value] = &thread;
  for (PeerThread& thread : threads)
    for (const PeerId to : thread.kept_)
      (here[to.value] != nullptr ? here[to.value] : &thread)->host_.in_flight(1);
}

void PeerThread::conclude(Time ended, EngineReport& report) {
  now_ = ended;
  std::uint64_t packets = 0;
  agenda_.for_each([&](const Due& due) {
    packets += due.event.has_packet() ? 1 : 0;
    idle_since(due.at);
  });
  while (const auto delivery = inbox_.receive(std::chrono::nanoseconds(0))) {
    const auto& event = delivery->envelope.event;
    if (!event || event->kind != HostEvent::Kind::packet) continue;
    ++packets;
    idle_since(delivery->envelope.header.due);
  }
  host_.in_flight(packets);
  host_.conclude(ended, report);
  report.fidelity.merge(fidelity_);
}

}  // namespace rhizome::core
