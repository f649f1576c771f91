#include "core/explore/world.hpp"

#include <algorithm>
#include <exception>

namespace rhizome::core {

Explorer::World::World(const EngineSetup& setup, const ExplorerOptions& options,
                       const std::vector<Input>& inputs,
                       const std::function<void(const std::string&)>& listener)
    : options_(options),
      inputs_(inputs),
      listener_(listener),
      commons_(setup),
      clocks_(setup.peers),
      traces_(setup.peers),
      told_(setup.peers),
      left_{options.early, options.crashes, options.restarts, options.losses, options.duplicates} {
  hosts_.reserve(setup.peers);
  for (std::uint32_t i = 0; i < setup.peers; ++i)
    hosts_.emplace_back(PeerId{i}, commons_, *this, effects_);
  for (std::uint32_t i = 0; i < inputs.size(); ++i)
    comings_.push_back({.kind = Kind::input,
                        .peer = inputs[i].peer,
                        .due = inputs[i].at,
                        .name = mixed(fingerprint_of(inputs[i].payload, 4), i),
                        .slot = i});
}

void Explorer::World::start() {
  guarded([this] {
    for (Host& host : hosts_) {
      host.prepare();
      host.handle(Time{}, {HostEvent::Kind::start});
      traces_[host.id().value].seen = false;
      tell_notes(host.id());
    }
  });
}

// What a protocol throws is an invariant of its own that is broken.
void Explorer::World::guarded(const std::function<void()>& handle) {
  try {
    handle();
  } catch (const std::exception& error) {
    broken_ = {"exception", error.what()};
  }
}

void Explorer::World::arm(PeerId host, Time due, const HostEvent& event) {
  const bool timer = event.kind == HostEvent::Kind::timer;
  comings_.push_back({.kind = timer ? Kind::timer : Kind::work,
                      .peer = host,
                      .due = due,
                      .name = name_of(host, event),
                      .patient = timer && due - clocks_[host.value] > options_.moment,
                      .event = event});
}

void Explorer::World::put(const PacketHeader& header, std::span<const std::byte> payload) {
  const Packet packet{header, payload};
  comings_.push_back({.kind = Kind::packet,
                      .peer = header.to,
                      .due = header.due,
                      .name = name_of(packet),
                      .slot = store_.put(header, payload)});
  if (listener_) tell("    sends " + words_of(packet) + " to " + std::to_string(header.to.value));
}

void Explorer::World::take(const Happening& happening) {
  if (listener_) tell(words(happening));
  guarded([&] {
    handle(happening);
    drop_stale();
  });
  traces_[happening.peer.value].seen = false;
  tell_notes(happening.peer);
}

void Explorer::World::handle(const Happening& happening) {
  const PeerId id = happening.peer;
  switch (happening.kind) {
    case Kind::crash:
      --left_.crashes;
      return crash(id);
    case Kind::restart:
      --left_.restarts;
      return restart(id);
    case Kind::loss:
      --left_.losses;
      return lose(take_coming(happening.pending));
    case Kind::duplicate:
      --left_.duplicates;
      return duplicate(comings_[happening.pending]);
    case Kind::early:
      --left_.early;
      break;
    case Kind::packet:
    case Kind::work:
    case Kind::input:
    case Kind::timer:
      break;
  }
  come(take_coming(happening.pending));
}

Coming Explorer::World::take_coming(std::size_t pending) {
  const Coming coming = comings_[pending];
  comings_.erase(comings_.begin() + static_cast<std::ptrdiff_t>(pending));
  return coming;
}

void Explorer::World::come(const Coming& coming) {
  const std::uint32_t at = coming.peer.value;
  Host& host = hosts_[at];
  traces_[at].past = mixed(traces_[at].past, coming.name);
  Time& clock = clocks_[at];
  clock = std::max(clock, coming.due);
  if (coming.kind == Kind::packet) {
    deliver(coming);
  } else if (coming.kind == Kind::input) {
    host.handle(clock, {HostEvent::Kind::input}, {.input = &inputs_[coming.slot]});
  } else {
    host.handle(clock, coming.event);
  }
}

void Explorer::World::deliver(const Coming& coming) {
  const Packet packet = store_.get(coming.slot);
  hosts_[coming.peer.value].handle(clocks_[coming.peer.value], {HostEvent::Kind::packet},
                                   {.packet = &packet});
  store_.release(coming.slot);
}

void Explorer::World::crash(PeerId id) {
  struck_.push_back({clocks_[id.value], id, Fault::Kind::crash});
  hosts_[id.value].handle(clocks_[id.value], {HostEvent::Kind::crash});
  traces_[id.value].past = mixed(traces_[id.value].past, 1);
}

void Explorer::World::restart(PeerId id) {
  const Time clock = clocks_[id.value];
  struck_.push_back({clock, id, Fault::Kind::restart});
  Host& host = hosts_[id.value];
  if (host.handle(clock, {HostEvent::Kind::restart})) host.handle(clock, {HostEvent::Kind::start});
}

void Explorer::World::lose(const Coming& coming) {
  hosts_[store_.get(coming.slot).header.from.value].dropped(Drop::lost);
  store_.release(coming.slot);
}

void Explorer::World::duplicate(Coming coming) {
  const Packet packet = store_.get(coming.slot);
  hosts_[packet.header.from.value].duplicated();
  coming.slot = store_.put(packet.header, packet.payload);
  comings_.push_back(coming);
}

bool Explorer::World::is_dead(const Coming& coming) const {
  const Host& host = hosts_[coming.peer.value];
  if (coming.kind == Kind::packet)
    return host.peer() == nullptr || store_.get(coming.slot).header.to_incarnation != host.life();
  if (coming.kind == Kind::input) return false;
  return !host.awaits(coming.event);
}

void Explorer::World::drop_stale() {
  for (std::size_t i = 0; i < comings_.size();) {
    const Coming coming = comings_[i];
    if (!is_dead(coming)) {
      ++i;
      continue;
    }
    static_cast<void>(take_coming(i));
    if (coming.kind == Kind::packet) deliver(coming);  // deliver() counts it
  }
}

std::vector<const Peer*> Explorer::World::peers() const {
  std::vector<const Peer*> all;
  for (const Host& host : hosts_) all.push_back(host.peer());
  return all;
}

EngineReport Explorer::World::report(bool over) {
  for (const Coming& coming : comings_)
    if (coming.kind == Kind::packet) hosts_[coming.peer.value].in_flight(1);
  EngineReport result;
  result.ending = over ? Ending::finished : Ending::open;
  result.ended = *std::max_element(clocks_.begin(), clocks_.end());
  for (Host& host : hosts_) host.conclude(result.ended, result);
  return result;
}

}  // namespace rhizome::core
