#include "scenarios/live/steering.hpp"

#include <fmt/core.h>

#include <cmath>

#include "scenarios/text/peer_list.hpp"

namespace rhizome::scenarios::live {

namespace {

std::string what(const core::OperatorCommand& operator_command) {
  const std::string peers = peers_text(operator_command.peers);
  switch (operator_command.kind) {
    case core::OperatorCommand::Kind::crash:
      return "peer " + peers + " crashed";
    case core::OperatorCommand::Kind::leave:
      return "peer " + peers + " left";
    case core::OperatorCommand::Kind::restart:
      return "peer " + peers + " restarted";
    case core::OperatorCommand::Kind::cut_off:
      return (operator_command.peers.size() == 1 ? "peer " + peers + " was"
                                                 : "peers " + peers + " were") +
             " cut off";
    case core::OperatorCommand::Kind::heal:
      break;
  }
  return "the cut was healed";
}

}  // namespace

std::optional<core::OperatorCommand> operator_command_of(const Steer& steer) {
  using Command = Steer::Command;
  if (steer.command < Command::crash) return {};
  const auto kind = static_cast<unsigned>(steer.command) - static_cast<unsigned>(Command::crash);
  return core::OperatorCommand{.kind = static_cast<core::OperatorCommand::Kind>(kind),
                               .peers = steer.peers};
}

std::string text_of(const core::OperatorCommand& operator_command) {
  const auto since_start = operator_command.at.time_since_epoch().count();
  return fmt::format("{} at {}.{:09} s", what(operator_command), since_start / 1'000'000'000,
                     since_start % 1'000'000'000);
}

bool obey(const Steer& steer, core::Pace& pace) {
  switch (steer.command) {
    case Steer::Command::hold:
      pace.hold();
      return true;
    case Steer::Command::go:
      pace.go();
      return true;
    case Steer::Command::step:
      if (steer.steps == 0) return false;
      pace.step(steer.steps);
      return true;
    case Steer::Command::until:
      pace.go_until(steer.until);
      return true;
    case Steer::Command::speed:
      if (!std::isfinite(steer.speed) || steer.speed < 0) return false;
      pace.set_speed(steer.speed);
      return true;
    default:
      break;
  }
  return false;
}

std::string text_of(const Steer& steer, const core::Pace& pace) {
  if (steer.command != Steer::Command::speed || !pace.held()) return {};
  return "the run is held, and will go at that speed: let it go (--go)";
}

}  // namespace rhizome::scenarios::live
