// How peers hear that a run of programs is over, whatever is lost on the way.
#pragma once

#include "agents/farewell.hpp"
#include "agents/program/messages.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::program {

class EndOfRun {
 public:
  using Messages = core::OneOf<Over, OverToo, Hello>;

  EndOfRun(core::PeerId self, const World& world);

  void start(Env& env);
  // Tells all others, and is over itself.
  void say(Env& env);
  // Tells all peers that the run is over, including this one.
  void announce(Env& env);
  void on(Env& env, core::PeerId from, const Over& message);
  void on(Env& env, core::PeerId from, const OverToo& message);
  void on(Env& env, core::PeerId from, const Hello& message) const;
  void on(Env& env, const OverDue& due);

  [[nodiscard]] bool over() const { return over_; }

 private:
  [[nodiscard]] bool insists() const;
  void tell(Env& env, core::PeerId peer);
  void finish(Env& env);

  core::PeerId self_;
  const World& world_;
  Farewell<> farewell_;
  bool told_ = false;
  bool over_ = false;
};

}  // namespace rhizome::agents::program
