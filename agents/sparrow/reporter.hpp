// Tells the source what is done, until the source has noted it.
#pragma once

#include <map>

#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {
class Sparrow;
}

namespace rhizome::agents::sparrow {

using Env = core::Env<Sparrow>;

struct ReportDue {};

class Reporter {
 public:
  using Messages = core::OneOf<Noted>;
  using Timers = core::OneOf<ReportDue>;

  Reporter(const Options& options, PeerId source) : options_(options), source_(source) {}

  void report(Env& env, TaskId task, PeerId executor);
  void on(Env& env, PeerId from, const Noted& message);
  void on(Env& env, const ReportDue& due);
  void stop(Env& env) const;

 private:
  struct Unreported {
    PeerId executor;
    core::Time since{};
  };

  const Options& options_;
  PeerId source_;
  std::map<TaskId, Unreported> unreported_;
  core::TimerId repeating_{};
  bool repeats_ = false;
};

}  // namespace rhizome::agents::sparrow
