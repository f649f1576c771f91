// What ties a peer to the source. A peer in a later life says that it has begun. A peer that has
// not heard the source for long asks whether the source is still there, until it is told that the
// run is over. Without the source a run cannot end, so a peer gives up in the end.
#pragma once

#include "agents/backoff.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::sparrow {

class KeepAliveLink {
 public:
  using Messages = core::OneOf<Welcome, Over>;
  using Timers = core::OneOf<HelloDue>;

  KeepAliveLink(const Options& options, PeerId source)
      : options_(options), source_(source), backoff_(options.probe_timeout, most_doublings) {}

  void start(Env& env);
  // A message has come from the source.
  void heard(core::Time now) { heard_ = now; }
  void on(Env& env, PeerId from, const Welcome& message);
  void on(Env& env, PeerId from, const Over& message);
  void on(Env& env, const HelloDue& due);
  [[nodiscard]] bool told_of_the_end() const { return told_; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  void stop(Env& env) const;

 private:
  // Silence after which the source is asked: short enough for several questions before the peer
  // gives the source up.
  [[nodiscard]] core::Duration patience() const { return options_.give_up / 5; }

  static constexpr std::uint32_t most_doublings = 3;  // the source may be out of reach for a while

  const Options& options_;
  PeerId source_;
  Backoff backoff_;
  std::uint32_t asked_ = 0;  // questions in vain
  bool welcome_ = false;     // true in a first life, and once the source has answered a later one
  bool gave_up_ = false;
  bool told_ = false;
  core::Time heard_{};
  core::TimerId greeting_{};
};

}  // namespace rhizome::agents::sparrow
