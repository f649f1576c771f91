#include "scenarios/live/steering.hpp"

#include <cmath>

namespace rhizome::scenarios::live {

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
  }
  return false;
}

}  // namespace rhizome::scenarios::live
