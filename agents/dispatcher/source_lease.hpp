// The lease by which peers depend on the source, and the end of a run. The source says that the run
// is over until every peer has heard it or had time to. A peer that has begun a later life, or has
// not heard the source for long, asks the source. It gives up the run once the source has been
// silent for too long. All of this, except for the end itself, happens only where something may be
// lost. Our design.
#pragma once

#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"
#include "agents/farewell.hpp"
#include "agents/source_watch.hpp"

namespace rhizome::agents::dispatching {

class SourceLease {
 public:
  SourceLease(PeerId self, const Options& options, const World& world);

  void start(Env& env);
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] bool gave_up() const { return began_anew_ || watch_.gave_up(); }

  // At the source: ends the run, because all jobs are done.
  void end(Env& env);
  void on(Env& env, PeerId from, const OverToo& message);
  void on(Env& env, const OverDue& due);
  // At the source: answers a peer that asks.
  void answer(Env& env, PeerId from);

  // At other peers: the source was heard.
  void heard(core::Time now) { watch_.heard(now); }
  void welcomed() { watch_.welcomed(); }
  void on(Env& env, PeerId from, const Over& message);
  void on(Env& env, const HelloDue& due);

 private:
  static constexpr std::uint32_t most_tries = 8;  // our choice, to tell a peer of the end

  void rest(Env& env);

  const PeerId self_;
  const World& world_;
  const bool recovers_;
  bool over_ = false;
  bool began_anew_ = false;  // the source, which a run does not survive
  Farewell<> farewell_;
  SourceWatch watch_;
  core::TimerId greeting_{};
};

}  // namespace rhizome::agents::dispatching
