#include "core/engine/peer_thread.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::core {

void Census::died(bool had_finished) {
  const std::scoped_lock lock(mutex_);
  --alive_;
  if (had_finished) --finished_;
}

void Census::revived() {
  const std::scoped_lock lock(mutex_);
  ++alive_;
}

void Census::finished() {
  const std::scoped_lock lock(mutex_);
  ++finished_;
}

void Census::resumed() {
  const std::scoped_lock lock(mutex_);
  --finished_;
}

void Census::hurry(Time now) {
  const std::scoped_lock lock(mutex_);
  if (!first_) first_ = now;
}

bool Census::all_finished() const {
  const std::scoped_lock lock(mutex_);
  return finished_ > 0 && finished_ == alive_;
}

std::optional<Time> Census::first_finish() const {
  const std::scoped_lock lock(mutex_);
  return first_;
}

namespace {

std::uint32_t count_present(const EngineSetup& setup) {
  const std::vector<bool> present = present_at_start(setup);
  return static_cast<std::uint32_t>(std::count(present.begin(), present.end(), true));
}

}  // namespace

Shared::Shared(const EngineSetup& engine_setup, double time_scale,
               std::unique_ptr<Transport> network)
    : setup(engine_setup),
      clock(time_scale),
      transport(std::move(network)),
      incarnations(engine_setup.peers),
      census(count_present(engine_setup)),
      pool([this](const WorkPool::Job& job, std::uint64_t result) {
        transport->send(job.peer,
                        {.kind = Envelope::Kind::work_done,
                         .incarnation = job.incarnation,
                         .work = job.id,
                         .result = result},
                        {});
      }) {}

PeerThread::PeerThread(PeerId id, Shared& shared)
    : id_(id),
      shared_(shared),
      inbox_(shared.transport->inbox(id)),
      recorder_(shared.setup.recording),
      link_rng_(Rng::derive({shared.setup.seed, id.value}, "link")) {
  if (!shared.setup.access.empty()) line_.emplace(shared.setup.access[id.value]);
}

void PeerThread::prepare() { peer_ = shared_.setup.make_peer(id_, incarnation_); }

void PeerThread::run() {
  now_ = shared_.clock.now();
  if (peer_) {
    start();
    begun_ = now_;
  }
  while (!shared_.stopping.load(std::memory_order_acquire)) step();
}

void PeerThread::start() {
  effects_.clear();
  peer_->start(now_, effects_);
  perform();
  after_handler();
}

// One event: whatever is due by now, else the next message, else sleep until the one or the other.
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
  fidelity_.inbox_depth.add(static_cast<std::int64_t>(inbox_.depth()));
  receive(*delivery);
}

void PeerThread::receive(const Delivery& delivery) {
  const Envelope& envelope = delivery.envelope;
  switch (envelope.kind) {
    case Envelope::Kind::packet:
      accept({envelope.header, delivery.payload});
      break;
    case Envelope::Kind::crash:
      crash();
      break;
    case Envelope::Kind::leave:
      leave();
      break;
    case Envelope::Kind::restart:
      restart();
      break;
    case Envelope::Kind::work_done:
      if (envelope.incarnation == incarnation_) complete(envelope.work, {}, envelope.result);
      break;
    case Envelope::Kind::wake:
      break;
  }
}

// A packet whose time has not come waits here: the latency of the link.
void PeerThread::accept(const Packet& packet) {
  const auto next = has_line(packet.header) ? Due::Kind::arrival : Due::Kind::packet;
  if (packet.header.due > now_)
    hold(next, packet);
  else if (next == Due::Kind::arrival)
    arrive(packet);
  else
    deliver(packet);
}

// Reckoned from when it was due here, however late this thread is.
void PeerThread::arrive(const Packet& packet) {
  Packet passed = packet;
  if (peer_ && packet.header.to_incarnation == incarnation_)
    passed.header.due = line_->receive(packet.header.due, shared_.setup.ballast.weigh(packet));
  if (passed.header.due > now_)
    hold(Due::Kind::packet, passed);
  else
    deliver(passed);
}

void PeerThread::hold(Due::Kind kind, const Packet& packet) {
  agenda_.push(packet.header.due, {.kind = kind,
                                   .header = packet.header,
                                   .payload = {packet.payload.begin(), packet.payload.end()}});
}

void PeerThread::handle(const Due& due) {
  if (due.kind == Due::Kind::packet) {
    deliver({due.header, due.payload});
    return;
  }
  if (due.kind == Due::Kind::arrival) {
    arrive({due.header, due.payload});
    return;
  }
  if (due.kind == Due::Kind::departure) {
    depart(due);
    return;
  }
  if (!peer_ || due.incarnation != incarnation_) return;
  if (due.kind == Due::Kind::work) {
    complete(due.work, due.at, 0);
  } else {
    fire(due);
  }
}

void PeerThread::deliver(const Packet& packet) {
  if (!peer_) {
    recorder_.dropped(Drop::down);
    return;
  }
  if (packet.header.to_incarnation != incarnation_) {
    recorder_.dropped(Drop::stale);
    return;
  }
  fidelity_.packet_lag.add((now_ - packet.header.due).count());
  effects_.clear();
  peer_->deliver(now_, packet, effects_);
  const bool refused =
      !effects_.list.empty() && std::holds_alternative<Refuse>(effects_.list.front());
  if (!refused) recorder_.received(now_, packet.header, shared_.setup.ballast.weigh(packet));
  perform();
  after_handler();
}

void PeerThread::fire(const Due& due) {
  effects_.clear();
  if (!peer_->fire(now_, due.timer, effects_)) return;
  fidelity_.timer_lag.add((now_ - due.at).count());
  perform();
  after_handler();
}

// `due`: when emulated work was to end; real work ends when it does.
void PeerThread::complete(WorkId id, std::optional<Time> due, std::uint64_t result) {
  const auto found = std::find_if(works_.begin(), works_.end(),
                                  [id](const ActiveWork& active) { return active.id == id; });
  if (!peer_ || found == works_.end()) return;
  const WorkDone done{.id = id, .took = now_ - found->started, .result = result};
  works_.erase(found);
  if (due) fidelity_.work_lag.add((now_ - *due).count());
  effects_.clear();
  peer_->complete(now_, done, effects_);
  perform();
  after_handler();
}

// Handlers are timed by one look at the clock, which is also the next event's time.
void PeerThread::after_handler() {
  ++events_;
  const Time ended = shared_.clock.now();
  fidelity_.handler_time.add((ended - now_).count());
  now_ = ended;
}

void PeerThread::leave() {
  if (!peer_) return;
  effects_.clear();
  peer_->depart(now_, effects_);
  perform();
  after_handler();
  if (line_) line_->leave(now_);
  stop();
}

void PeerThread::crash() {
  if (!peer_) return;
  if (line_) line_->crash(now_, incarnation_);
  stop();
}

// The thread lives on to count the packets that come to a dead peer.
void PeerThread::stop() {
  peer_.reset();
  works_.clear();
  shared_.census.died(std::exchange(finished_, false));
}

void PeerThread::restart() {
  if (peer_) return;
  ++incarnation_.value;
  shared_.incarnations[id_.value].store(incarnation_.value, std::memory_order_release);
  shared_.census.revived();
  prepare();
  now_ = shared_.clock.now();
  start();
}

void PeerThread::perform() {
  for (const Effect& effect : effects_.list) {
    if (const auto* send = std::get_if<Send>(&effect)) {
      perform(*send);
    } else if (const auto* arm = std::get_if<Arm>(&effect)) {
      agenda_.push(arm->due, {.kind = Due::Kind::timer,
                              .incarnation = incarnation_,
                              .at = arm->due,
                              .timer = arm->id});
    } else if (const auto* work = std::get_if<StartWork>(&effect)) {
      perform(*work);
    } else if (const auto* stop = std::get_if<StopWork>(&effect)) {
      std::erase_if(works_, [&](const ActiveWork& active) { return active.id == stop->id; });
    } else if (const auto* note = std::get_if<Note>(&effect)) {
      recorder_.note(now_, effects_.fact(*note));
    } else if (const auto* refuse = std::get_if<Refuse>(&effect)) {
      recorder_.dropped(refuse->why);
    } else if (std::holds_alternative<Finish>(effect)) {
      finish(true);
      shared_.census.hurry(now_);
    } else if (std::holds_alternative<Rest>(effect)) {
      finish(true);
    } else if (std::holds_alternative<Resume>(effect)) {
      finish(false);
    }
  }
}

void PeerThread::perform(const Send& send) {
  const Packet packet = effects_.packet(send);
  PacketHeader header = packet.header;
  const std::size_t bytes = shared_.setup.ballast.weigh(packet);
  recorder_.sent(now_, header, bytes);
  if (header.to.value >= shared_.incarnations.size()) {
    recorder_.dropped(Drop::unreachable);
    return;
  }
  header.to_incarnation.value =
      shared_.incarnations[header.to.value].load(std::memory_order_acquire);
  if (!has_line(header)) {
    transmit(header, packet.payload, now_);
    return;
  }
  const Time departure = line_->send(now_, bytes);
  agenda_.push(departure, {.kind = Due::Kind::departure,
                           .incarnation = incarnation_,
                           .at = departure,
                           .header = header,
                           .payload = {packet.payload.begin(), packet.payload.end()}});
}

void PeerThread::depart(const Due& due) {
  if (line_->lost(due.incarnation))
    recorder_.dropped(Drop::lost);
  else
    transmit(due.header, due.payload, due.at);
}

// What links do to a packet that sets out at `departure`.
void PeerThread::transmit(const PacketHeader& header, std::span<const std::byte> payload,
                          Time departure) {
  Envelope envelope{.kind = Envelope::Kind::packet, .header = header};
  const Transmission fate = shared_.setup.links->judge(departure, header, link_rng_);
  if (fate.copies > 1) recorder_.duplicated();
  for (std::uint8_t copy = 0; copy < fate.arriving; ++copy) {
    envelope.header.due = departure + fate.after[copy];
    shared_.transport->send(header.to, envelope, payload);
  }
  for (int lost = fate.copies - fate.arriving; lost > 0; --lost) recorder_.dropped(fate.why);
}

void PeerThread::perform(const StartWork& start) {
  works_.push_back({start.id, now_});
  if (start.work.kind == Work::Kind::matrix) {
    shared_.pool.submit({id_, incarnation_, start.id, start.work});
    return;
  }
  const Time due = now_ + start.work.duration;
  agenda_.push(due,
               {.kind = Due::Kind::work, .incarnation = incarnation_, .at = due, .work = start.id});
}

void PeerThread::finish(bool finished) {
  if (std::exchange(finished_, finished) == finished) return;
  finished ? shared_.census.finished() : shared_.census.resumed();
}

void PeerThread::conclude(Time ended) {
  std::uint64_t packets = 0;
  agenda_.for_each([&](const Due& due) {
    const bool timer_or_work = due.kind == Due::Kind::timer || due.kind == Due::Kind::work;
    packets += timer_or_work ? 0 : 1;
  });
  while (const auto delivery = inbox_.receive(std::chrono::nanoseconds(0)))
    packets += delivery->envelope.kind == Envelope::Kind::packet ? 1 : 0;
  recorder_.in_flight(packets);
  if (line_) recorder_.line(line_->usage(ended));
}

}  // namespace rhizome::core
