// Steering: the commands that a user of a monitor may send to a run that allows it: to change its
// pace, or to cause a fault by hand.
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
    crash,  // this one and those below are faults by hand
    leave,
    restart,
    cut_off,
    heal,
    last = heal
  };
  static constexpr std::size_t most_peers = 500;  // in one command
  std::optional<std::uint32_t> run{};             // none: the run that began last
  Command command = Command::hold;
  std::uint64_t steps = 1;            // for step
  core::Time until{};                 // for until
  double speed = 0;                   // for speed, in emulated seconds per real second; 0: no limit
  std::vector<core::PeerId> peers{};  // for all faults except heal
};
// The reason for refusing all commands.
inline constexpr const char* no_control =
    "the run was begun without --control: only runs begun with it can be steered";
struct Done {
  std::string what{};  // a fault by hand in words; for other commands a note or nothing
  friend bool operator==(const Done&, const Done&) = default;
};

// The operator command of a fault by hand; nothing for a command about the pace.
[[nodiscard]] std::optional<core::OperatorCommand> operator_command_of(const Steer& steer);
// "peer 7 crashed at 3.200000001 s".
[[nodiscard]] std::string text_of(const core::OperatorCommand& operator_command);

// Does the command. Returns false, and does nothing, where its speed or number of steps is invalid.
[[nodiscard]] bool obey(const Steer& steer, core::Pace& pace);
// A note on a command that was obeyed: a held run does not go on because its speed is set.
[[nodiscard]] std::string text_of(const Steer& steer, const core::Pace& pace);

}  // namespace rhizome::scenarios::live
