#include "agents/dispatcher/dispatch_queue.hpp"

#include <algorithm>

#include "agents/client.hpp"
#include "agents/dispatcher/below.hpp"
#include "agents/dispatcher/policy.hpp"
#include "agents/dispatcher/polling.hpp"

namespace rhizome::agents::dispatching {

namespace {

std::unique_ptr<Selector> selector_of(PeerId self, const Options& options, const World& world,
                                      Fleet& fleet) {
  const RoundTimes times = round_times(options, world);
  const std::vector<PeerId> all = dispatchers_of(options, world);
  switch (options.policy) {
    case Policy::random:
      return std::make_unique<AnyServer>(fleet);
    case Policy::round_robin:
      return std::make_unique<EachInTurn>(
          fleet, static_cast<std::size_t>(std::find(all.begin(), all.end(), self) - all.begin()));
    case Policy::jsq:
    case Policy::jsq_d:
    case Policy::lwl:
    case Policy::lwl_d:
      return std::make_unique<Polling>(options, fleet, times);
    case Policy::jiq:
    case Policy::jbt_d:
    case Policy::threshold:
      break;
  }
  return std::make_unique<Below>(options, fleet, times);
}

}  // namespace

DispatchQueue::DispatchQueue(PeerId self, const Options& options, const World& world)
    : alone_(options.dispatchers == 1),
      fleet_(servers_of(options, world)),
      assigned_tasks_(Level::assign, options, world, fleet_),
      dealt_(Level::deal, options, world),
      selector_(selector_of(self, options, world, fleet_)) {
  for (const PeerId peer : world.late)
    if (const auto server = fleet_.place(peer)) {
      fleet_.hold_for(*server, false);
    }
}

void DispatchQueue::start(Env& env) {
  assigned_tasks_.start(env);
  selector_->start(env);
}

void DispatchQueue::submit(Env& env, const std::vector<Task>& tasks) {
  selector_->arrived(env, tasks.size());
  queue_.insert(queue_.end(), tasks.begin(), tasks.end());
  work(env);
}

void DispatchQueue::on(Env& env, PeerId from, const Assign& message) {
  if (dealt_.accept(env, from, message)) submit(env, {message.task});
}

void DispatchQueue::work(Env& env) {
  while (!queue_.empty()) {
    const std::optional<ServerChoice> choice = selector_->choose(env);
    if (!choice) return;
    assigned_tasks_.give(env, choice->server, queue_.front(), choice->arrivals);
    queue_.pop_front();
  }
}

// Lost tasks go first, since they have waited for long already.
void DispatchQueue::again(Env& env, const std::vector<Task>& tasks) {
  queue_.insert(queue_.begin(), tasks.begin(), tasks.end());
  work(env);
}

template <class M>
void DispatchQueue::hear(Env& env, PeerId from, const M& message) {
  const auto server = fleet_.place(from);
  if (!server) return;
  assigned_tasks_.heard(*server);
  selector_->on(env, *server, message);
  work(env);
}

void DispatchQueue::on(Env& env, PeerId from, const Standing& message) { hear(env, from, message); }
void DispatchQueue::on(Env& env, PeerId from, const Free& message) { hear(env, from, message); }

// The only dispatcher is the source.
void DispatchQueue::on(Env& env, PeerId from, const Done& message) {
  const bool news = assigned_tasks_.done(env, from, message);
  const auto server = fleet_.place(from);
  const bool back = server && assigned_tasks_.heard(*server);
  if (news && alone_) env.raise(Finished{message.product, message.executor});
  if (news && !alone_) dealt_.done(env, message.product, message.executor);
  if (back) work(env);
}

void DispatchQueue::on(Env& env, PeerId from, const Missing& message) {
  const auto server = fleet_.place(from);
  if (!server) return;
  const bool back = assigned_tasks_.heard(*server);
  again(env, assigned_tasks_.missing(env, *server, message));
  if (back) work(env);
}

void DispatchQueue::on(Env& env, PeerId from, const Hello&) {
  const auto server = fleet_.place(from);
  if (!server) return;
  assigned_tasks_.heard(*server);
  assigned_tasks_.ask_for_all(env, *server);
  selector_->began(env, *server);
  work(env);
}

void DispatchQueue::on(Env& env, const AskDue&) {
  const AssignedTasks::Asked asked = assigned_tasks_.ask(env);
  for (const std::size_t server : asked.dead) selector_->lost(env, server);
  again(env, asked.tasks);
}

void DispatchQueue::stop(Env& env) {
  queue_.clear();
  assigned_tasks_.stop(env);
  dealt_.stop(env);
  selector_->stop(env);
}

}  // namespace rhizome::agents::dispatching
