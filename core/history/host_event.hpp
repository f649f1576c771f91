// What befalls a host, under whatever engine: agendas keep it until it is due, inboxes carry it to
// the host's thread, histories write it down, and Host::handle() does it.
#pragma once

#include <cstdint>

#include "core/peer/ids.hpp"
#include "core/peer/input.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

// Small, for an agenda has millions of them.
struct HostEvent {
  // Those of packets come together, and those that a peer handles last.
  enum class Kind : std::uint8_t {
    start,      // of the life that was built
    crash,      // gone without a word
    leave,      // gone once its protocols have said goodbye
    restart,    // or a first life that begins late; its start follows
    adapt,      // its share of a processor has changed
    departure,  // of a packet that waited at its own line
    arrival,    // of a packet at its line
    packet,     // at its peer
    timer,
    work,    // that took its time has ended
    result,  // of work that was really done
    input,
    last = input
  };
  [[nodiscard]] static HostEvent timer(Incarnation life, TimerId id) {
    return {Kind::timer, life, id};
  }
  // The end of work that was begun in a life, unless it is paced anew until then.
  [[nodiscard]] static HostEvent end_of(Incarnation life, WorkId work, std::uint32_t turn) {
    return {Kind::work, life, {work.service, work.number, turn}};
  }
  [[nodiscard]] static HostEvent result_of(Incarnation life, WorkId work) {
    return {Kind::result, life, {work.service, work.number}};
  }

  [[nodiscard]] bool has_packet() const { return kind >= Kind::departure && kind <= Kind::packet; }
  [[nodiscard]] bool is_for_peer() const { return kind >= Kind::packet; }
  // Of timers and work, which may have been cancelled, stopped or paced anew: then it is nothing.
  [[nodiscard]] bool may_be_void() const { return kind >= Kind::timer && kind <= Kind::result; }
  [[nodiscard]] WorkId work() const { return {id.service, id.slot}; }

  Kind kind = Kind::start;
  Incarnation life{};  // that asked for a departure, a timer or work
  TimerId id{};        // of a timer; of work its service, its number, and how often it was paced;
                       // of a packet its service alone
};

// What an event brings along, as far as it brings anything.
struct Matter {
  const Packet* packet = nullptr;  // that departs, arrives or has come
  const Result* result = nullptr;
  const Input* input = nullptr;
  // Of a packet as its sender counts those that it puts on their way, of a departure as this host
  // counts what waits at its line, of an input as the run counts them; from 0. Where that is kept.
  std::uint64_t number = 0;
};

}  // namespace rhizome::core
