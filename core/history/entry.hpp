// What the history of a host is made of: events that come to it, in its order and with the time
// that its peer was told, and between them what it saw of other threads meanwhile.
#pragma once

#include <cstdint>
#include <string>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

struct HostEvent {
  enum class Kind : std::uint8_t {
    start,
    crash,
    leave,
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

  [[nodiscard]] static HostEvent departure(std::uint64_t number) {
    return {.kind = Kind::departure, .number = number};
  }
  [[nodiscard]] static HostEvent arrival(PeerId from, std::uint64_t number) {
    return {.kind = Kind::arrival, .from = from, .number = number};
  }
  [[nodiscard]] static HostEvent packet(PeerId from, std::uint64_t number) {
    return {.kind = Kind::packet, .from = from, .number = number};
  }
  // `id` as the errands of hosts name a timer or an end of work.
  [[nodiscard]] static HostEvent timer(TimerId id) { return {.kind = Kind::timer, .id = id}; }
  [[nodiscard]] static HostEvent work(TimerId id) { return {.kind = Kind::work, .id = id}; }
  [[nodiscard]] static HostEvent result(WorkId work, const Result& result) {
    return {.kind = Kind::result,
            .id = {.service = work.service, .slot = work.number},
            .came_to = &result};
  }
  [[nodiscard]] static HostEvent input(std::uint64_t ticket) {
    return {.kind = Kind::input, .number = ticket};
  }

  [[nodiscard]] bool takes_packet() const { return kind == Kind::packet || kind == Kind::arrival; }
  [[nodiscard]] WorkId work_id() const { return {id.service, id.slot}; }

  Kind kind = Kind::start;
  PeerId from{};             // of a packet
  std::uint64_t number = 0;  // of a packet as its sender counts those that it puts on their way,
                             // of a departure as this host counts what waits at its line, of an
                             // input as the run counts them; from 0
  TimerId id{};              // of a timer or work
  const Result* came_to = nullptr;  // of real work; lives as long as its reader or its writer says
};

// In words, for whoever is told of one: "timer 3 of service 1".
[[nodiscard]] std::string text_of(const HostEvent& event);

// The first byte of every entry: an event of that kind, or what follows from one.
enum class Mark : std::uint8_t {
  wants = static_cast<std::uint8_t>(HostEvent::Kind::last) + 1,  // effects, by their fingerprint
  life,  // of another peer, which is not the one that it saw last
  same,  // the share of all in a processor has not changed
  changed,
  share,  // of a processor
  real,   // the work that was begun is really done
  last = real
};

}  // namespace rhizome::core
