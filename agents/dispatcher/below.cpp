#include "agents/dispatcher/below.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::agents::dispatching {

// At first all servers are idle, and known to be.
Below::Below(const Options& options, Fleet& fleet, const RoundTimes& times)
    : options_(options), fleet_(fleet), round_(fleet, times), free_(fleet.size(), 1) {}

void Below::start(Env& env) {
  window_ = env.now();
  if (options_.has_threshold()) renewing_ = env.after(options_.renew, RenewDue{});
  if (env.incarnation().value == 0) return;
  std::fill(free_.begin(), free_.end(), Arrivals{0});  // a later life knows nothing, and asks
  tell(env);
}

// The former window counts as well, as long as the present one is young.
void Below::pass(core::Time now) {
  if (now - window_ < options_.renew) return;
  in_former_ = now - window_ < 2 * options_.renew ? in_window_ : 0;
  in_window_ = 0;
  window_ += options_.renew * ((now - window_) / options_.renew);
}

void Below::arrived(Env& env, std::size_t tasks) {
  pass(env.now());
  in_window_ += tasks;
}

double Below::rate(core::Time now) const {
  const double span = core::seconds(options_.renew + (now - window_));
  return static_cast<double>(in_former_ + in_window_) / span;
}

std::int64_t Below::measure(const Standing& standing) const {
  return options_.by_work() ? standing.work.count() : static_cast<std::int64_t>(standing.tasks);
}

auto Below::free_servers() const -> std::vector<FreeServer> {
  std::vector<FreeServer> found;
  for (std::size_t i = 0; i < free_.size(); ++i)
    if (free_[i] > 0 && fleet_.alive(i)) found.push_back({i, free_[i]});
  return found;
}

std::optional<ServerChoice> Below::choose(Env& env) {
  const std::vector<FreeServer> found = free_servers();
  if (found.empty() && options_.policy == Policy::threshold) {
    pass(env.now());
    if (!round_.open()) renew(env, true);
    return {};
  }
  if (found.empty()) {
    const std::vector<std::size_t> drawn = fleet_.draw(1, env.rng());
    return drawn.empty() ? std::optional<ServerChoice>{} : ServerChoice{drawn.front()};
  }
  const FreeServer& taken = best_of(found, options_.ties, env.rng(),
                                    [](const FreeServer&, const FreeServer&) { return false; });
  free_[taken.server] = 0;
  return ServerChoice{taken.server, taken.arrivals};
}

void Below::renew(Env& env, bool all_busy) {
  median_ =
      options_.policy == Policy::threshold && all_busy && rate(env.now()) >= options_.busy_rate;
  const std::size_t drawn =
      options_.policy == Policy::threshold ? options_.sample : options_.choices;
  std::vector<std::size_t> asked = median_ ? fleet_.living() : fleet_.draw(drawn, env.rng());
  if (!asked.empty()) round_.ask(env, std::move(asked));
}

void Below::on(Env& env, std::size_t server, const Standing& standing) {
  if (round_.take(env, server, standing)) conclude(env);
}

void Below::on(Env& env, const RoundDue& due) {
  if (round_.repeat(env, due)) conclude(env);
}

void Below::on(Env&, std::size_t server, const Free& message) {
  free_[server] = std::max<Arrivals>(message.arrivals, 1);
}

void Below::on(Env& env, const RenewDue& due) {
  renewing_ = env.after(options_.renew, due);
  pass(env.now());
  if (!round_.open()) renew(env, false);
}

// The lower median of an even number.
void Below::conclude(Env& env) {
  const std::vector<Answer> answers = round_.take_answers();
  if (answers.empty()) return;
  std::vector<std::int64_t> measures;
  for (const Answer& answer : answers) measures.push_back(measure(answer.standing));
  const std::size_t rank = median_ ? (measures.size() - 1) / 2 : 0;
  const auto place = measures.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(measures.begin(), place, measures.end());
  const bool changed = std::exchange(limit_, *place) != *place;
  for (const Answer& answer : answers)
    if (measure(answer.standing) <= limit_) free_[answer.server] = answer.standing.arrivals;
  if (changed) tell(env);
}

void Below::tell(Env& env) {
  for (const std::size_t server : fleet_.living())
    env.send(fleet_.peer(server), Threshold{limit_, free_[server] > 0});
}

void Below::began(Env& env, std::size_t server) {
  free_[server] = 1;
  if (options_.has_threshold()) env.send(fleet_.peer(server), Threshold{limit_, true});
}

void Below::lost(Env& env, std::size_t server) {
  free_[server] = 0;
  if (round_.drop(env, server)) conclude(env);
}

void Below::stop(Env& env) {
  round_.stop(env);
  env.cancel(renewing_);
}

}  // namespace rhizome::agents::dispatching
