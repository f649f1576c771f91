#include "agents/sparrow/reporter.hpp"

#include <utility>

namespace rhizome::agents::sparrow {

void Reporter::report(Env& env, TaskId task, PeerId executor) {
  unreported_[task] = {executor, env.now()};
  env.send(source_, Report{task, executor});
  if (!std::exchange(repeats_, true)) repeating_ = env.after(patience_, ReportDue{});
}

void Reporter::on(Env&, PeerId, const Noted& message) { unreported_.erase(message.task); }

void Reporter::on(Env& env, const ReportDue&) {
  repeats_ = !unreported_.empty();
  if (!repeats_) return;
  for (const auto& [task, report] : unreported_)
    if (env.now() - report.since >= patience_)
      env.send(source_, Report{task, report.executor}, core::Cause::recovery);
  repeating_ = env.after(patience_, ReportDue{});
}

void Reporter::stop(Env& env) const { env.cancel(repeating_); }

}  // namespace rhizome::agents::sparrow
