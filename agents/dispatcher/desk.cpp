#include "agents/dispatcher/desk.hpp"

#include <algorithm>

#include "agents/client.hpp"
#include "agents/dispatcher/below.hpp"
#include "agents/dispatcher/blind.hpp"
#include "agents/dispatcher/polling.hpp"

namespace rhizome::agents::dispatching {

namespace {

std::unique_ptr<Selector> selector_of(PeerId self, const Options& options, const World& world,
                                      Fleet& fleet) {
  const Duration patience =
      recovers(options, world) ? patience_of(options, world) : Duration::zero();
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
      return std::make_unique<Polling>(options, fleet, patience);
    case Policy::jiq:
    case Policy::jbt_d:
    case Policy::threshold:
      break;
  }
  return std::make_unique<Below>(options, fleet, patience);
}

}  // namespace

Desk::Desk(PeerId self, const Options& options, const World& world)
    : alone_(options.dispatchers == 1),
      fleet_(servers_of(options, world)),
      handouts_(Level::assign, options, world, fleet_),
      dealt_(Level::deal, options, world),
      selector_(selector_of(self, options, world, fleet_)) {
  for (const PeerId peer : world.late)
    if (const auto server = fleet_.place(peer)) {
      fleet_.hold_for(*server, false);
    }
}

void Desk::start(Env& env) {
  handouts_.start(env);
  selector_->start(env);
}

void Desk::submit(Env& env, const std::vector<Task>& tasks) {
  selector_->arrived(env, tasks.size());
  queue_.insert(queue_.end(), tasks.begin(), tasks.end());
  work(env);
}

void Desk::on(Env& env, PeerId from, const Assign& message) {
  if (dealt_.accept(env, from, message)) submit(env, {message.task});
}

void Desk::work(Env& env) {
  while (!queue_.empty()) {
    const std::optional<Choice> choice = selector_->choose(env);
    if (!choice) return;
    handouts_.give(env, choice->server, queue_.front(), choice->arrivals);
    queue_.pop_front();
  }
}

// What was lost has waited for long already.
void Desk::again(Env& env, const std::vector<Task>& tasks) {
  queue_.insert(queue_.begin(), tasks.begin(), tasks.end());
  work(env);
}

template <class M>
void Desk::hear(Env& env, PeerId from, const M& message) {
  const auto server = fleet_.place(from);
  if (!server) return;
  handouts_.heard(*server);
  selector_->on(env, *server, message);
  work(env);
}

void Desk::on(Env& env, PeerId from, const Standing& message) { hear(env, from, message); }
void Desk::on(Env& env, PeerId from, const Free& message) { hear(env, from, message); }

// The only dispatcher is the source.
void Desk::on(Env& env, PeerId from, const Done& message) {
  const bool news = handouts_.done(env, from, message);
  const auto server = fleet_.place(from);
  const bool back = server && handouts_.heard(*server);
  if (news && alone_) env.raise(Finished{message.product, message.executor});
  if (news && !alone_) dealt_.done(env, message.product, message.executor);
  if (back) work(env);
}

void Desk::on(Env& env, PeerId from, const Missing& message) {
  const auto server = fleet_.place(from);
  if (!server) return;
  const bool back = handouts_.heard(*server);
  again(env, handouts_.missing(env, *server, message));
  if (back) work(env);
}

void Desk::on(Env& env, PeerId from, const Hello&) {
  const auto server = fleet_.place(from);
  if (!server) return;
  handouts_.heard(*server);
  handouts_.ask_for_all(env, *server);
  selector_->began(env, *server);
  work(env);
}

void Desk::on(Env& env, const AskDue&) {
  const Handouts::Asked asked = handouts_.ask(env);
  for (const std::size_t server : asked.dead) selector_->lost(env, server);
  again(env, asked.tasks);
}

void Desk::stop(Env& env) {
  queue_.clear();
  handouts_.stop(env);
  dealt_.stop(env);
  selector_->stop(env);
}

}  // namespace rhizome::agents::dispatching
