// What ties peers to the source, and how a run ends. The source says that it is over until
// everybody has heard or had time to. Whoever has begun a later life, or has not heard of the
// source for long, asks; and gives up the run once the source has been silent for too long. All of
// this only where something may be lost, but for the end itself. Our design.
#pragma once

#include <map>

#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"

namespace rhizome::agents::dispatching {

class SourceLease {
 public:
  SourceLease(PeerId self, const Options& options, const World& world);

  void start(Env& env);
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  // At the source: all is done.
  void end(Env& env);
  void on(Env& env, PeerId from, const OverToo& message);
  void on(Env& env, const OverDue& due);
  // At the source: somebody asks.
  void answer(Env& env, PeerId from);

  // At others.
  void heard(core::Time now) { heard_ = now; }
  void welcomed() { welcome_ = true; }
  void on(Env& env, PeerId from, const Over& message);
  void on(Env& env, const HelloDue& due);

 private:
  static constexpr std::uint32_t most_tries = 8;  // our choice, to tell one of the end

  void rest(Env& env);

  const PeerId self_;
  const World& world_;
  const bool recovers_;
  const Duration patience_;
  const Duration give_up_;
  bool over_ = false;
  bool gave_up_ = false;
  bool welcome_ = false;  // in this life
  core::Time heard_{};    // of the source
  core::TimerId greeting_{};
  std::map<PeerId, std::uint32_t> untold_;  // of the end, and how often they have been told
  core::TimerId telling_{};
};

}  // namespace rhizome::agents::dispatching
