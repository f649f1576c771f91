#include "agents/vector/source_lease.hpp"

#include <algorithm>
#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::vectors {

// A later life asks at once whether the run is over; in a first one, not all should report
// together.
void SourceLease::start(Env& env) {
  heard_ = env.now();
  if (!options_.recovery) return;
  const bool first = env.incarnation().value == 0;
  const core::Duration later{first ? env.rng().between(0, options_.report.count()) : 0};
  due_ = env.after(later, ReportDue{});
}

void SourceLease::done(Env& env, const Product& product) {
  if (options_.recovery) done_[product.task] = {product.given};
  env.send(source_, Result{product});
}

void SourceLease::on(Env& env, const Heard& heard) {
  heard_ = env.now();
  unanswered_ = 0;
  for (const TaskId task : heard.noted) done_.erase(task);
  bring_again(env);
  env.cancel(due_);
  due_ = env.after(options_.report, ReportDue{});
}

// Sends a result once for each report, because the first may only be late.
void SourceLease::bring_again(Env& env) {
  for (auto& [task, done] : done_) {
    if (!std::exchange(done.reported, false) || done.given.bytes == 0) continue;
    env.send(source_, Result{{task, done.given}}, Cause::recovery);
  }
}

bool SourceLease::report(Env& env, const std::vector<TaskId>& held) {
  if (env.now() - heard_ >= options_.give_up) {
    env.note(RunFailed{source_, "the source is out of reach"});
    return false;
  }
  std::vector<TaskId> done;
  for (auto& [task, each] : done_) {
    done.push_back(task);
    each.reported = true;
  }
  if (std::max(held.size(), done.size()) <= most_in_message) {
    env.send(source_, Report{held, done});
  } else {
    in_pieces(held, [&](std::size_t, std::vector<TaskId> piece) {
      env.send(source_, Report{.held = std::move(piece), .done = {}});
    });
    in_pieces(done, [&](std::size_t, std::vector<TaskId> piece) {
      env.send(source_, Report{.held = {}, .done = std::move(piece)});
    });
  }
  due_ = env.after(std::min(backoff_.wait(unanswered_++), options_.report), ReportDue{});
  return true;
}

}  // namespace rhizome::agents::vectors
