// Reports done tasks to the source, until the source has noted them.
#pragma once

#include <algorithm>

#include "agents/backoff.hpp"
#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"
#include "core/peer/flat.hpp"

namespace rhizome::agents::sparrow {

class ResultReporter {
 public:
  using Messages = core::OneOf<Noted>;
  using Timers = core::OneOf<ReportDue>;

  ResultReporter(const Options& options, const World& world)
      : source_(world.source), backoff_(std::max(options.probe_timeout, 8 * world.longest_way())) {}

  void report(Env& env, TaskId task, PeerId executor);
  void on(Env& env, PeerId from, const Noted& message);
  void on(Env& env, const ReportDue& due);
  void stop(Env& env) const;

 private:
  struct Unreported {
    PeerId executor;
    core::Time said{};  // when it was last reported
    std::uint32_t repetitions = 0;
  };

  PeerId source_;
  Backoff backoff_;  // an answer may be on its way for long: for one pair of peers in 1,000 for
                     // longer
  core::FlatMap<TaskId, Unreported> unreported_;
  core::TimerId repeating_{};
  bool repeats_ = false;
};

}  // namespace rhizome::agents::sparrow
