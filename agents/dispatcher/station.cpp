#include "agents/dispatcher/station.hpp"

namespace rhizome::agents::dispatching {

namespace {

std::vector<PeerId> in_order(std::vector<PeerId> peers) {
  std::sort(peers.begin(), peers.end());
  return peers;
}

}  // namespace

Station::Station(PeerId self, const Options& options, const World& world)
    : dispatchers_(in_order(dispatchers_of(options, world))),
      server_(world.capacities[self.value]),
      holding_(Level::assign, options, world),
      state_reporter_(options, dispatchers_, server_) {}

void Station::start(Env& env) {
  if (env.incarnation().value == 0) return;
  for (const PeerId dispatcher : dispatchers_) env.send(dispatcher, Hello{.begins = true});
}

void Station::on(Env& env, PeerId from, const Assign& message) {
  if (!holding_.accept(env, from, message)) return;
  const std::uint64_t here = state_reporter_.arrivals() + 1;
  if (message.arrivals > 0 && message.arrivals < here)
    env.note(
        ChoiceOutdated{message.task.id, from, static_cast<std::uint32_t>(here - message.arrivals)});
  server_.accept(env, message.task);
  state_reporter_.taken(env, from);
}

void Station::on(Env& env, const core::WorkDone& done) {
  const auto task = server_.finish(env, done);
  if (!task) return;
  holding_.done(env, product_of(*task), env.self());
  state_reporter_.look(env);
}

void Station::stop(Env& env) {
  server_.stop(env);
  holding_.stop(env);
  state_reporter_.stop(env);
}

}  // namespace rhizome::agents::dispatching
