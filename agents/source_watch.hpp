// How a peer notices that the source is gone. A peer in a later life asks the source until it is
// welcomed. Any peer asks when it has not heard the source for long, and gives it up in the end,
// since a run cannot end without the source.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "agents/backoff.hpp"
#include "agents/facts.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

class SourceWatch {
 public:
  // Silence after which the source is asked, and after which it is given up; `backoff` says how
  // long to wait for an answer.
  SourceWatch(core::PeerId source, core::Duration quiet, core::Duration give_up, Backoff backoff)
      : source_(source), quiet_(quiet), give_up_(give_up), backoff_(backoff) {}

  void start(core::Time now, bool later_life) {
    heard_ = now;
    welcome_ = !later_life;
  }
  // A message has come from the source.
  void heard(core::Time now) { heard_ = now; }
  // The source has answered.
  void welcomed() { welcome_ = true; }
  [[nodiscard]] core::Duration quiet() const { return quiet_; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  struct Look {
    bool asks;
    core::Duration next;  // when to look again
  };
  // Whether to ask the source now. Nothing if the source is given up, which is noted.
  template <class Env>
  [[nodiscard]] std::optional<Look> look(Env& env) {
    const core::Duration silence = env.now() - heard_;
    if (silence >= give_up_) {
      gave_up_ = true;
      env.note(RunFailed{source_, "the source is out of reach"});
      return {};
    }
    const bool asks = !welcome_ || silence >= quiet_;
    if (!asks) asked_ = 0;
    return Look{.asks = asks, .next = asks ? backoff_.wait(asked_++) : quiet_ - silence};
  }

 private:
  core::PeerId source_;
  core::Duration quiet_;
  core::Duration give_up_;
  Backoff backoff_;
  std::uint32_t asked_ = 0;  // in vain
  bool welcome_ = true;      // in a first life, and once the source has answered a later one
  bool gave_up_ = false;
  core::Time heard_{};
};

}  // namespace rhizome::agents
