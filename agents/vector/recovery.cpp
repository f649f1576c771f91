// Recovery under vector scheduling: the reports of peers to the source, the answers of the source,
// how it handles a task that no peer reports, and how the run ends. Also handles reports of
// locators about tasks of graphs.
#include <algorithm>
#include <utility>

#include "agents/pieces.hpp"
#include "agents/vector/vector.hpp"

namespace rhizome::agents {

using namespace vectors;

void VectorPeer::on(Env& env, const locator::Arrived& arrived) {
  if (over_) return;
  graphs_.arrived(arrived, env.now());
  if (options_.spread == RedistributionTrigger::arrivals) arrived_ = true;
  env.waiting(waiting());
}

void VectorPeer::on(Env& env, const locator::Ready& ready) {
  if (over_) return;
  graphs_.ready(ready);
  if (!options_.start_at_tick) start_tasks(env);
}

void VectorPeer::on(Env& env, const locator::Completed&) {
  if (!over_ && !options_.start_at_tick) start_tasks(env);
}

// A peer that still waits for an answer after the end is called back to work, for a while.
void VectorPeer::on(Env& env, const locator::Quiet& quiet) {
  if (!over_) return;
  env.cancel(std::exchange(closing_, {}));
  if (quiet.quiet) {
    close(env);
    return;
  }
  env.resume();
  closing_ = env.after(options_.lease, CloseDue{});
}

// A result that has come already is noted once more, and does not count twice; a result with bytes
// comes in a message of its own. A task that is not open is done.
void VectorPeer::handle(Env& env, PeerId from, const Report& message) {
  if (!options_.recovery) return;
  Heard heard{};
  for (const TaskId task : message.done) {
    if (books_.gives(task) || graphs_.gives(task)) {
      books_.heard(task, from, env.now());
      continue;
    }
    if (books_.open(task)) complete(env, task, from);
    heard.noted.push_back(task);
  }
  for (const TaskId task : message.held) {
    books_.heard(task, from, env.now());
    if (!books_.open(task)) heard.needless.push_back(task);
  }
  env.send(from, heard);
}

void VectorPeer::handle(Env& env, PeerId from, const LevelInfo& message) {
  if (neighbours_.heard(from, message.vitals, env.now())) graphs_.heard(from, message);
}

void VectorPeer::handle(Env& env, PeerId from, const Needs& message) {
  if (options_.recovery) graphs_.give(env, from, message);
}

void VectorPeer::handle(Env& env, PeerId, const Heard& message) {
  if (!options_.recovery) return;
  source_lease_.on(env, message);
  for (const TaskId task : std::exchange(told_of_, {})) passed_on_.erase(task);
  for (const TaskId task : message.needless) {
    local_tasks_.drop(env, task);
    graphs_.drop(env, task);
    env.raise(files::CargoDropped{subject_of(task)});
  }
  if (!message.needless.empty() && !options_.start_at_tick) start_tasks(env);
}

void VectorPeer::handle(Env& env, const ReportDue&) {
  std::vector<TaskId> held;
  for_held(env, [&held](TaskId task) { held.push_back(task); });
  told_of_ = passed_on_;
  if (!source_lease_.report(env, held)) {
    rest(env);
    return;
  }
  in_pieces(graphs_.needs(env.now()), [&](std::size_t, std::vector<Need> piece) {
    env.send(world_.source, Needs{std::move(piece)});
  });
}

template <class F>
void VectorPeer::for_held(Env& env, F f) {
  std::for_each(local_tasks_.here().begin(), local_tasks_.here().end(), f);
  std::for_each(ended_.begin(), ended_.end(), f);
  carrier_.for_each([&f](const Task& task) { f(task.id); });
  for (const TaskId task : graphs_.held(env)) f(task);
  std::for_each(passed_on_.begin(), passed_on_.end(), f);
}

void VectorPeer::handle(Env& env, const LeaseDue&) {
  const core::Time now = env.now();
  const auto have = [&](TaskId task) { books_.heard(task, self_, now); };
  for_held(env, have);
  passed_on_.clear();
  graphs_.give(env, self_, Needs{graphs_.needs(now)});
  for (const SourceBooks::Overdue& overdue : books_.overdue(now - options_.lease)) {
    env.note(TaskReissued{overdue.task.id, overdue.holder, "no peer has reported it"});
    have(overdue.task.id);
    if (!graphs_.place_again(env, overdue.task.id)) add(env, {overdue.task});
    if (options_.spread != RedistributionTrigger::never) arrived_ = true;
  }
  leasing_ = env.after(options_.report, LeaseDue{});
}

void VectorPeer::handle(Env& env, const CloseDue&) {
  closing_ = {};
  env.raise(locator::Close{});
}

// Any other copy of the task that waits is needless now.
void VectorPeer::complete(Env& env, TaskId task, PeerId executor) {
  if (options_.recovery && !books_.close(task, executor)) return;
  local_tasks_.drop(env, task);
  graphs_.done(env, task);
  env.raise(Finished{task, executor});
}

// A peer that misses this message is told when it reports.
void VectorPeer::end(Env& env) {
  if (over_) return;
  for (const PeerId peer : world_.others(self_)) env.send(peer, Over{});
  rest(env);
}

// No message looks for a task any more.
void VectorPeer::close(Env& env) {
  env.raise(locator::Close{});
  env.rest();
}

void VectorPeer::rest(Env& env) {
  if (std::exchange(over_, true)) return;
  local_tasks_.stop(env);
  carrier_.stop(env);
  source_lease_.stop(env);
  if (measuring_) env.stop(*measuring_);
  if (planning_) env.stop(*planning_);
  for (const core::TimerId timer : {ticking_, measuring_due_, leasing_}) env.cancel(timer);
  graphs_.stop();
  env.waiting(0);
  if (!graphs_.used())
    env.finish();
  else if (graphs_.quiet())
    close(env);
  else
    closing_ = env.after(options_.lease, CloseDue{});
}

}  // namespace rhizome::agents
