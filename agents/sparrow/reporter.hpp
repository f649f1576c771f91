// Tells the source what is done, until the source has noted it.
#pragma once

#include <algorithm>

#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"
#include "core/peer/flat.hpp"

namespace rhizome::agents::sparrow {

class Reporter {
 public:
  using Messages = core::OneOf<Noted>;
  using Timers = core::OneOf<ReportDue>;

  Reporter(const Options& options, const World& world)
      : source_(world.source),
        patience_(std::max(options.probe_timeout, 8 * world.longest_delay)) {}

  void report(Env& env, TaskId task, PeerId executor);
  void on(Env& env, PeerId from, const Noted& message);
  void on(Env& env, const ReportDue& due);
  void stop(Env& env) const;

 private:
  struct Unreported {
    PeerId executor;
    core::Time since{};
  };

  PeerId source_;
  core::Duration
      patience_;  // an answer may be on its way for long: of one pair in 1,000 for longer
  core::FlatMap<TaskId, Unreported> unreported_;
  core::TimerId repeating_{};
  bool repeats_ = false;
};

}  // namespace rhizome::agents::sparrow
