// Steering: what somebody who watches may ask a run to do, where it allows that.
#pragma once

#include <cstdint>
#include <optional>

#include "core/engine/pace.hpp"
#include "core/peer/time.hpp"

namespace rhizome::scenarios::live {

// Answered by Done or Refused.
struct Steer {
  enum class Command : std::uint8_t { hold, go, step, until, speed, last = speed };
  std::optional<std::uint32_t> run{};  // none: the one that began last
  Command command = Command::hold;
  std::uint64_t steps = 1;  // of step
  core::Time until{};       // of until
  double speed = 0;         // of speed: emulated seconds a real one; 0: as fast as it can
};
struct Done {
  friend bool operator==(const Done&, const Done&) = default;
};

// False, and nothing is done, where it asks for what is no speed or no step.
[[nodiscard]] bool obey(const Steer& steer, core::Pace& pace);

}  // namespace rhizome::scenarios::live
