#include "agents/dispatcher/station.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "agents/server.hpp"

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

StateReporter::StateReporter(const Options& options, std::vector<PeerId> dispatchers,
                             const Server& server)
    : options_(options),
      dispatchers_(std::move(dispatchers)),
      server_(server),
      lines_(dispatchers_.size()) {}

void StateReporter::answer(Env& env, PeerId from, const Query& query) const {
  env.send(from, Standing{.round = query.round,
                          .work = server_.unfinished(env.now()),
                          .tasks = server_.residents().size(),
                          .arrivals = arrivals_ + 1});
}

void StateReporter::on(Env& env, PeerId from, const Threshold& threshold) {
  const auto dispatcher = dispatchers_.place(from);
  if (!dispatcher) return;
  lines_[*dispatcher] = {threshold.limit, threshold.free};
  look(env);
}

void StateReporter::taken(Env& env, PeerId from) {
  ++arrivals_;
  if (const auto dispatcher = dispatchers_.place(from)) lines_[*dispatcher].free = false;
  look(env);
}

std::int64_t StateReporter::measure(core::Time now) const {
  return options_.by_work() ? server_.unfinished(now).count()
                            : static_cast<std::int64_t>(server_.residents().size());
}

void StateReporter::say_free(Env& env, std::size_t dispatcher) {
  lines_[dispatcher].free = true;
  env.send(dispatchers_.peer(dispatcher), Free{arrivals_ + 1});
}

void StateReporter::say_idle(Env& env) {
  if (!server_.residents().empty()) return;
  const std::size_t drawn = lines_.size() == 1 ? 0 : env.rng().below(lines_.size());
  if (!lines_[drawn].free) say_free(env, drawn);
}

void StateReporter::look(Env& env) {
  if (options_.policy == Policy::jiq) say_idle(env);
  if (!options_.has_threshold()) return;
  env.cancel(std::exchange(due_, {}));
  const std::int64_t here = measure(env.now());
  std::optional<std::int64_t> next;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].free) continue;
    if (here <= lines_[i].limit)
      say_free(env, i);
    else
      next = std::max(next.value_or(lines_[i].limit), lines_[i].limit);
  }
  if (next && options_.by_work()) look_later(env, here - *next);
}

void StateReporter::look_later(Env& env, std::int64_t most) {
  due_ = env.after(std::max(Duration(most), Duration(1)), BelowDue{});
}

void StateReporter::stop(Env& env) { env.cancel(std::exchange(due_, {})); }

}  // namespace rhizome::agents::dispatching
