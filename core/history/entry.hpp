// The history of a host: its events in order, with the times that its peer was told, and between
// them the changes by other threads that it observed.
#pragma once

#include <cstdint>
#include <string>

#include "core/history/host_event.hpp"

namespace rhizome::core {

// A recorded event. A packet is recorded as its sender and its number.
struct RecordedEvent : HostEvent {
  PeerId from{};             // sender of a packet at its line or its peer
  std::uint64_t number = 0;  // as in Matter
  Result result{};           // result of real work
};

// The event in words, for messages to users: "timer 3 of service 1".
[[nodiscard]] std::string text_of(const RecordedEvent& event);

// The first byte of every entry: an event of that kind, or what follows from one.
enum class Mark : std::uint8_t {
  wants = static_cast<std::uint8_t>(HostEvent::Kind::last) + 1,  // effects, by their fingerprint
  life,  // of another peer, if it differs from the last one seen
  same,  // the share of all in a processor has not changed
  changed,
  share,  // part of a processor
  real,   // the work that was begun is really done
  last = real
};

}  // namespace rhizome::core
