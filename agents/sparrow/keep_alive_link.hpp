// What ties a peer to the source, until it is told that the run is over.
#pragma once

#include "agents/source_watch.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::sparrow {

class KeepAliveLink {
 public:
  using Messages = core::OneOf<Welcome, Over>;
  using Timers = core::OneOf<HelloDue>;

  KeepAliveLink(const Options& options, PeerId source)

      : source_(source),
        // Quiet for so short that several questions come before the peer gives the source up.
        watch_(source, options.give_up / 5, options.give_up,
               Backoff(options.probe_timeout, most_doublings)) {}

  void start(Env& env);
  // A message has come from the source.
  void heard(core::Time now) { watch_.heard(now); }
  void on(Env& env, PeerId from, const Welcome& message);
  void on(Env& env, PeerId from, const Over& message);
  void on(Env& env, const HelloDue& due);
  [[nodiscard]] bool told_of_the_end() const { return told_; }
  [[nodiscard]] bool gave_up() const { return watch_.gave_up(); }
  void stop(Env& env) const;

 private:
  static constexpr std::uint32_t most_doublings = 3;  // the source may be out of reach for a while

  PeerId source_;
  SourceWatch watch_;
  bool told_ = false;
  core::TimerId greeting_{};
};

}  // namespace rhizome::agents::sparrow
