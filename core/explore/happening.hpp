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
  PeerId peer{};            // where it happens
  std::size_t pending = 0;  // index among coming events, for one of those

  [[nodiscard]] bool is_rare() const { return kind >= Kind::early; }
};

// Something that is to come.
struct Coming {
  Happening::Kind kind{};  // packet, work, input or timer
  PeerId peer{};
  Time due{};
  Fingerprint name = 0;    // of its contents, independent of its time
  bool patient = false;    // waits until nothing is left that does not
  HostEvent event{};       // for work and timers
  std::uint32_t slot = 0;  // of a packet in the store; an input's place
};

}  // namespace rhizome::core
