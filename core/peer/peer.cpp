#include "core/peer/peer.hpp"

namespace rhizome::core {

namespace detail {

Drop drop_of(DecodeError error) {
  switch (error) {
    case DecodeError::truncated:
      return Drop::truncated;
    case DecodeError::oversized:
      return Drop::oversized;
    case DecodeError::mismatched:
      return Drop::mismatched;
    case DecodeError::none:
    case DecodeError::malformed:
      break;
  }
  return Drop::malformed;
}

}  // namespace detail

Peer::Peer(PeerId id, Incarnation incarnation, std::uint64_t seed)
    : id_(id),
      incarnation_(incarnation),
      rng_(Rng::derive({seed, id.value, incarnation.value}, "peer")) {}

Peer::~Peer() {
  while (!services_.empty()) services_.pop_back();
}

Stage Peer::stage(Time now, std::size_t service, Effects& out) {
  return {id_, incarnation_, now, rng_, static_cast<std::uint8_t>(service), out};
}

void Peer::start(Time now, Effects& out) {
  const std::size_t first = out.list.size();
  for (std::size_t i = 0; i < services_.size(); ++i) services_[i]->start(stage(now, i, out));
  settle(now, first, out);
}

// The steward inspects the effects of the event, and those of the signals that it raises itself.
void Peer::settle(Time now, std::size_t first, Effects& out) {
  do {
    pass_signals(now, out);
    if (!steward_) return;
    services_[*steward_]->inspect(stage(now, *steward_, out), first);
    first = out.list.size();
  } while (!out.signals.empty());
}

// Signals that a service raises while it hears others are passed next. The end of a piece of work
// that the steward has kept back goes to the service that began the work.
void Peer::pass_signals(Time now, Effects& out) {
  while (!out.signals.empty()) {
    const std::vector<std::any> raised = std::exchange(out.signals, {});
    for (const std::any& signal : raised) {
      if (const auto* done = std::any_cast<WorkDone>(&signal)) {
        services_[done->id.service]->complete(stage(now, done->id.service, out), *done);
        continue;
      }
      for (std::size_t i = 0; i < services_.size(); ++i)
        services_[i]->hear(stage(now, i, out), signal);
    }
  }
}

void Peer::deliver(Time now, const Packet& packet, Effects& out) {
  const std::size_t service = packet.header.service;
  if (service >= services_.size()) {
    out.list.emplace_back(Refuse{Drop::unknown});
    return;
  }
  const std::size_t first = out.list.size();
  services_[service]->deliver(stage(now, service, out), packet);
  settle(now, first, out);
}

bool Peer::fire(Time now, TimerId timer, Effects& out) {
  if (timer.service >= services_.size()) return false;
  const std::size_t first = out.list.size();
  const bool fired = services_[timer.service]->fire(stage(now, timer.service, out), timer);
  settle(now, first, out);
  return fired;
}

void Peer::complete(Time now, const WorkDone& done, Effects& out) {
  if (done.id.service >= services_.size()) return;
  const std::size_t first = out.list.size();
  const bool kept = steward_ && services_[*steward_]->keeps(stage(now, *steward_, out), done);
  if (!kept) services_[done.id.service]->complete(stage(now, done.id.service, out), done);
  settle(now, first, out);
}

void Peer::hear(Time now, const Input& input, Effects& out) {
  const std::size_t first = out.list.size();
  for (std::size_t i = 0; i < services_.size(); ++i) services_[i]->hear(stage(now, i, out), input);
  settle(now, first, out);
}

void Peer::depart(Time now, Effects& out) {
  for (std::size_t i = services_.size(); i-- > 0;) services_[i]->depart(stage(now, i, out));
  pass_signals(now, out);
}

std::vector<std::string> Peer::armed() const {
  std::vector<std::string> all;
  for (const auto& service : services_)
    for (const std::string& timer : service->armed())
      all.push_back(std::string(service->name()) + "." + timer);
  return all;
}

bool Peer::dump_state(StateDump& dump) const {
  bool whole = true;
  for (const auto& service : services_) whole = service->dump_state(dump) && whole;
  return whole;
}

}  // namespace rhizome::core
