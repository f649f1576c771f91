// What tells the states of a world apart, and how it is told in words.
#include <algorithm>
#include <string>
#include <utility>

#include "core/explore/world.hpp"
#include "core/peer/state_dump.hpp"

namespace rhizome::core {

// A packet by all but when it was sent and is due.
Fingerprint Explorer::World::name_of(const Packet& packet) {
  const PacketHeader& header = packet.header;
  const Fingerprint ends = mixed(mixed(3, header.from.value), header.to.value);
  const Fingerprint what = mixed(header.service, mixed(header.type, header.to_incarnation.value));
  return fingerprint_of(packet.payload, mixed(ends, what));
}

Fingerprint Explorer::World::name_of(PeerId host, const HostEvent& event) const {
  const Fingerprint owner = mixed(mixed(5, host.value), mixed(event.life.value, event.id.service));
  if (event.kind == HostEvent::Kind::work) return mixed(owner, event.id.slot);
  const Peer* peer = hosts_[host.value].peer();
  return fingerprint_of(peer->services()[event.id.service]->timer(event.id), owner);
}

// Coming events count in any order; patient timers with their delays after the first, in moments.
Fingerprint Explorer::World::state() {
  const Time first = first_patient();
  const Duration moment = std::max(options_.moment, Duration{1});
  Fingerprint sum = 0;
  for (const Coming& coming : comings_) {
    const auto after = coming.patient ? 1 + (coming.due - first + moment / 2) / moment : 0;
    sum += mixed(coming.name, static_cast<Fingerprint>(after));
  }
  Fingerprint print = sum;
  for (const Host& host : hosts_) print = mixed(print, trace_of(host.id()));
  for (const std::uint32_t left :
       {left_.early, left_.crashes, left_.restarts, left_.losses, left_.duplicates})
    print = mixed(print, left);
  return print;
}

Fingerprint Explorer::World::trace_of(PeerId id) {
  Trace& trace = traces_[id.value];
  if (!std::exchange(trace.seen, true)) {
    read_notes(id, trace);
    trace.dump = state_dump_of(id, trace);
  }
  const auto clock = static_cast<Fingerprint>(clocks_[id.value].time_since_epoch().count());
  return mixed(mixed(trace.dump, trace.notes), options_.times ? clock : 0);
}

// Noted facts are a part of the state, since rules are judged by them.
void Explorer::World::read_notes(PeerId id, Trace& trace) const {
  hosts_[id.value].recorder().facts().read(trace.noted, [&trace](Time, const EncodedFact& fact) {
    trace.notes += fingerprint_of(fact.payload, fingerprint_of(fact.info->name));
  });
}

Fingerprint Explorer::World::state_dump_of(PeerId id, Trace& trace) const {
  const Host& host = hosts_[id.value];
  Fingerprint print = mixed(host.life().value, host.finished() ? 1 : 0);
  if (host.peer() == nullptr) return mixed(print, trace.past);
  StateDump dump(options_.times ? Times::told : Times::left_out);
  trace.opaque = !host.peer()->dump_state(dump);
  if (trace.opaque) return mixed(print, trace.past);
  for (const StateDump::Field& field : dump.fields()) print = fingerprint_of(field.value, print);
  return options_.chance ? mixed(print, host.peer()->chance()) : print;
}

std::uint32_t Explorer::World::opaque() const {
  return static_cast<std::uint32_t>(std::count_if(traces_.begin(), traces_.end(),
                                                  [](const Trace& trace) { return trace.opaque; }));
}

std::string Explorer::World::words_of(const Packet& packet) const {
  const Peer* speaker = hosts_[packet.header.to.value].peer();
  if (speaker == nullptr) speaker = hosts_[packet.header.from.value].peer();
  if (speaker == nullptr || packet.header.service >= speaker->services().size()) return "a packet";
  const Service& service = *speaker->services()[packet.header.service];
  return std::string(service.messages()[packet.header.type].name) + " " + text_of(packet.payload);
}

std::string Explorer::World::words(const Happening& happening) const {
  const std::string who = "peer " + std::to_string(happening.peer.value);
  if (happening.kind == Kind::crash) return who + " crashes";
  if (happening.kind == Kind::restart) return who + " starts again";
  const Coming& coming = comings_[happening.pending];
  if (coming.kind == Kind::input)
    return who + " is handed " + std::string(inputs_[coming.slot].info->name) + " " +
           text_of(inputs_[coming.slot].payload);
  if (coming.kind == Kind::work) return who + " ends a piece of work";
  if (coming.kind == Kind::timer) {
    const auto& service = *hosts_[happening.peer.value].peer()->services()[coming.event.id.service];
    return who + (happening.kind == Kind::early ? " wakes up early for " : " wakes up for ") +
           service.timer(coming.event.id);
  }
  const Packet packet = store_.get(coming.slot);
  const std::string from =
      words_of(packet) + " from peer " + std::to_string(packet.header.from.value);
  if (happening.kind == Kind::loss) return who + " never gets " + from;
  if (happening.kind == Kind::duplicate) return who + " will get twice " + from;
  return who + " gets " + from;
}

void Explorer::World::tell_notes(PeerId id) {
  if (!listener_) return;
  hosts_[id.value].recorder().facts().read(told_[id.value], [this](Time, const EncodedFact& fact) {
    tell("    notes " + std::string(fact.info->name) + " " + text_of(fact.payload));
  });
}

}  // namespace rhizome::core
