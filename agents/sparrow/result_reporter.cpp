#include "agents/sparrow/result_reporter.hpp"

#include <utility>

namespace rhizome::agents::sparrow {

void ResultReporter::report(Env& env, TaskId task, PeerId executor) {
  unreported_[task] = {executor, env.now()};
  env.send(source_, Report{task, executor});
  if (!std::exchange(repeats_, true)) repeating_ = env.after(backoff_.wait(0), ReportDue{});
}

void ResultReporter::on(Env& env, PeerId, const Noted& message) {
  const auto found = unreported_.find(message.task);
  if (found == unreported_.end()) return;
  if (found->second.repetitions == 0) backoff_.answered(env.now() - found->second.said);
  unreported_.erase(found);
}

void ResultReporter::on(Env& env, const ReportDue&) {
  repeats_ = !unreported_.empty();
  if (!repeats_) return;
  for (auto& [task, report] : unreported_) {
    if (env.now() - report.said < backoff_.wait(report.repetitions)) continue;
    env.send(source_, Report{task, report.executor}, core::Cause::recovery);
    report.said = env.now();
    ++report.repetitions;
  }
  repeating_ = env.after(backoff_.wait(0), ReportDue{});
}

void ResultReporter::stop(Env& env) const { env.cancel(repeating_); }

}  // namespace rhizome::agents::sparrow
