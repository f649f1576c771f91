// What the history of a host is made of: events that come to it, in its order and with the time
// that its peer was told, and between them what it saw of other threads meanwhile.
#pragma once

#include <cstdint>
#include <string>

#include "core/history/host_event.hpp"

namespace rhizome::core {

// An event as it was written down: a packet by who sent it and its number.
struct RecordedEvent : HostEvent {
  PeerId from{};             // of a packet at its line or at its peer
  std::uint64_t number = 0;  // as in Matter
  Result result{};           // of work that was really done
};

// In words, for messages to users: "timer 3 of service 1".
[[nodiscard]] std::string text_of(const RecordedEvent& event);

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
