#include "agents/dispatcher/dealer.hpp"

#include <algorithm>

#include "agents/client.hpp"

namespace rhizome::agents::dispatching {

namespace {

Fleet fleet_of(const Options& options, const World& world) {
  std::vector<PeerId> peers = dispatchers_of(options, world);
  std::sort(peers.begin(), peers.end());
  return Fleet(peers);
}

}  // namespace

Dealer::Dealer(PeerId self, const Options& options, const World& world)
    : fleet_(fleet_of(options, world)),
      own_(*fleet_.place(self)),
      assigned_tasks_(Level::deal, options, world, fleet_) {
  for (const PeerId peer : world.late)
    if (const auto dispatcher = fleet_.place(peer)) fleet_.hold_for(*dispatcher, false);
}

std::size_t Dealer::dispatcher_of(std::uint32_t job) const {
  const std::size_t first = job % fleet_.size();
  for (std::size_t i = 0; i < fleet_.size(); ++i) {
    const std::size_t next = (first + i) % fleet_.size();
    if (fleet_.alive(next)) return next;
  }
  return own_;
}

void Dealer::submit(Env& env, const std::vector<Task>& tasks) {
  for (const Task& task : tasks) assigned_tasks_.give(env, dispatcher_of(task.id.job), task);
}

void Dealer::on(Env& env, PeerId from, const Done& message) {
  if (const auto dispatcher = fleet_.place(from)) assigned_tasks_.heard(*dispatcher);
  if (assigned_tasks_.done(env, from, message))
    env.raise(Finished{message.product, message.executor});
}

void Dealer::on(Env& env, PeerId from, const Missing& message) {
  const auto dispatcher = fleet_.place(from);
  if (!dispatcher) return;
  assigned_tasks_.heard(*dispatcher);
  submit(env, assigned_tasks_.missing(env, *dispatcher, message));
}

void Dealer::on(Env& env, const AskDue&) { submit(env, assigned_tasks_.ask(env).tasks); }

}  // namespace rhizome::agents::dispatching
