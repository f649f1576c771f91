// What may happen next in a world that is explored.
#pragma once

#include <cstdint>

#include "core/engine/host.hpp"
#include "core/explore/system.hpp"

namespace rhizome::core {

struct Happening {
  enum class Kind : std::uint8_t {
    packet,
    work,
    input,
    timer,
    early,  // a timer that should have waited
    crash,
    restart,
    loss,
    duplicate
  };
  Kind kind{};
  PeerId peer{};            // whose it is
  std::size_t pending = 0;  // which of what is to come, where it is one of those

  [[nodiscard]] bool is_rare() const { return kind >= Kind::early; }
};

// Something that is to come.
struct Coming {
  Happening::Kind kind{};  // packet, work, input or timer
  PeerId peer{};
  Time due{};
  Fingerprint name = 0;    // what it is, whenever it comes
  bool patient = false;    // waits until nothing is left that does not
  HostEvent event{};       // of work and timers
  std::uint32_t slot = 0;  // of a packet in the store; of an input its place
};

}  // namespace rhizome::core
