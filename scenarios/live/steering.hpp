// Steering: what somebody who watches may ask a run to do, where it allows that: to go at another
// pace, or to take a fault by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/pace.hpp"
#include "core/engine/steering.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::scenarios::live {

// Answered by Done or Refused.
struct Steer {
  enum class Command : std::uint8_t {
    hold,
    go,
    step,
    until,
    speed,
    crash,  // this and those that follow are faults by hand
    leave,
    restart,
    cut_off,
    heal,
    last = heal
  };
  static constexpr std::size_t most_peers = 500;  // that are named
  std::optional<std::uint32_t> run{};             // none: the one that began last
  Command command = Command::hold;
  std::uint64_t steps = 1;            // of step
  core::Time until{};                 // of until
  double speed = 0;                   // of speed: emulated seconds a real one; 0: as fast as it can
  std::vector<core::PeerId> peers{};  // of faults, but for heal
};
// Why a run does nothing of it.
inline constexpr const char* no_control =
    "the run was begun without --control: only runs begun with it can be steered";
struct Done {
  std::string what{};  // in words, of a fault by hand; else what is to be known, if anything
  friend bool operator==(const Done&, const Done&) = default;
};

// What a fault by hand does; nothing where the command is about the pace.
[[nodiscard]] std::optional<core::OperatorCommand> operator_command_of(const Steer& steer);
// "peer 7 crashed at 3.200000001 s".
[[nodiscard]] std::string text_of(const core::OperatorCommand& operator_command);

// False, and nothing is done, where it asks for what is no speed or no step.
[[nodiscard]] bool obey(const Steer& steer, core::Pace& pace);
// What is to be known of a command that was obeyed: that a held run has not begun to go at a speed.
[[nodiscard]] std::string text_of(const Steer& steer, const core::Pace& pace);

}  // namespace rhizome::scenarios::live
