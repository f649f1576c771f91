// Who says what a peer does: a program of the user's, or an overlay that is built in.
#pragma once

#include <string_view>
#include <vector>

#include "agents/program/wire.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::program {

// Its errors are std::runtime_errors whose text names the peer, or core::HungUp.
class Voice {
 public:
  Voice() = default;
  virtual ~Voice() = default;
  Voice(const Voice&) = delete;
  Voice& operator=(const Voice&) = delete;

  // Tells it who it is, and waits until it is ready.
  [[nodiscard]] virtual std::vector<Said> begin(const Beginning& beginning) = 0;
  // Tells it an event, as a whole line. Nothing: hears what it says by itself.
  [[nodiscard]] virtual std::vector<Said> tell(core::Time now, std::string_view event) = 0;
  // How often it may say something by itself; 0: never, as it works in lock-step. Known once it has
  // begun.
  [[nodiscard]] virtual core::Duration pause() const = 0;
};

}  // namespace rhizome::agents::program
