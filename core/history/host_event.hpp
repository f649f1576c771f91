// Events of a host, the same under all engines: agendas keep an event until it is due, inboxes
// carry it to the thread of the host, histories record it, and Host::handle() handles it.
#pragma once

#include <cstdint>

#include "core/peer/ids.hpp"
#include "core/peer/input.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

// Small, because an agenda has millions of them.
struct HostEvent {
  // Ordered: the kinds that have a packet stand together, and the kinds that a peer handles last.
  enum class Kind : std::uint8_t {
    start,      // the life that was built starts
    crash,      // the peer ends without a word
    leave,      // the peer ends once its protocols have handled a Departure
    restart,    // a life begins, a later one or a late first one; `start` follows
    adapt,      // the share of a processor that the peer's work has changes
    departure,  // a packet leaves the line of its sender
    arrival,    // a packet reaches the line of its receiver
    packet,     // the peer receives a packet
    timer,
    work,    // emulated work ends
    result,  // real work ends
    input,
    last = input
  };
  [[nodiscard]] static HostEvent timer(Incarnation life, TimerId id) {
    return {Kind::timer, life, id};
  }
  // The end of work that was begun in this life; void if the work is paced anew before.
  [[nodiscard]] static HostEvent end_of(Incarnation life, WorkId work, std::uint32_t turn) {
    return {Kind::work, life, {work.service, work.number, turn}};
  }
  [[nodiscard]] static HostEvent result_of(Incarnation life, WorkId work) {
    return {Kind::result, life, {work.service, work.number}};
  }

  [[nodiscard]] bool has_packet() const { return kind >= Kind::departure && kind <= Kind::packet; }
  [[nodiscard]] bool is_for_peer() const { return kind >= Kind::packet; }
  // Whether the event may do nothing, because its timer was cancelled, or its work stopped or paced
  // anew.
  [[nodiscard]] bool may_be_void() const { return kind >= Kind::timer && kind <= Kind::result; }
  [[nodiscard]] WorkId work() const { return {id.service, id.slot}; }

  Kind kind = Kind::start;
  Incarnation life{};  // the life that asked for a departure, a timer or work
  TimerId id{};  // of the timer; for work its service, its number, and how often it was paced;
                 // for a packet its service alone
};

// The content of an event, if its kind has any.
struct Matter {
  const Packet* packet = nullptr;
  const Result* result = nullptr;
  const Input* input = nullptr;
  // From 0, in runs that are recorded: the sender numbers packets as it sends them, this host
  // numbers departures as they queue at its line, and the run numbers inputs.
  std::uint64_t number = 0;
};

}  // namespace rhizome::core
