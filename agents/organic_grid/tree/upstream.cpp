#include "agents/organic_grid/tree/upstream.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::grid {

bool Upstream::silent(Time now) const {
  return up_.attached() && now - up_.last_heard > home_.options.timeout;
}

// A new stay begins with nothing asked for and nothing sent.
void Upstream::attach(Env& env, Uplink stay, std::string_view reason) {
  const PeerId former = up_.parent;
  leave(env);
  up_ = std::move(stay);
  last_epoch_ = up_.epoch;
  up_.last_heard = up_.last_sent = env.now();
  env.note(ParentChanged{lineage_.root(), up_.parent, former, std::string(reason)});
}

void Upstream::detach(Env& env, std::string_view reason) {
  const PeerId old = up_.parent;
  leave(env);
  if (old != core::no_peer)
    env.note(ParentChanged{lineage_.root(), core::no_peer, old, std::string(reason)});
}

void Upstream::leave(Env& env) {
  if (!up_.attached()) return;
  env.send(up_.parent, Leave{lineage_.root(), up_.epoch, up_.supplies.next()});
  farewells_.add(std::exchange(up_, {}), env.now());
}

void Upstream::heard(Env& env, std::uint64_t acknowledged) {
  up_.last_heard = env.now();
  acknowledge(up_, acknowledged);
  if (up_.results.waits_since(env.now() - home_.options.timeout / 2)) resend_results(env);
}

// The parent answers for these results from now on.
void Upstream::acknowledge(Uplink& stay, std::uint64_t results) {
  for (const Result& result : stay.results.acknowledge(results))
    trail_.deliver(result.task, {stay.parent, stay.epoch}, result.strayed);
}

namespace {

bool among(const std::deque<Result>& results, TaskId task) {
  return std::any_of(results.begin(), results.end(),
                     [task](const Result& result) { return result.task == task; });
}

}  // namespace

bool Upstream::holds_unsent(TaskId task) const { return among(held_, task); }

bool Upstream::holds(TaskId task) const {
  return among(held_, task) || among(up_.results.items(), task) ||
         std::any_of(farewells_.list().begin(), farewells_.list().end(), [&](const auto& farewell) {
           return among(farewell.stay.results.items(), task);
         });
}

// Results that go another way than they were sent, before all others; but for those that have come
// here once more meanwhile.
void Upstream::hold_first(std::vector<Result> results) {
  std::erase_if(results, [this](const Result& result) {
    return among(held_, result.task) || among(up_.results.items(), result.task);
  });
  held_.insert(held_.begin(), results.begin(), results.end());
}

void Upstream::settle(Env& env, const Need& need) {
  raise_demand(need);
  const bool burst = held_.size() >= std::uint64_t{home_.options.burst} * need.hands;
  if (burst || (need.last && !held_.empty())) flush(env);
  if (up_.announced < up_.demanded) demand(env);
}

// Bounded, whatever a child may claim to need.
void Upstream::raise_demand(const Need& needs) {
  constexpr std::uint64_t most_outstanding = std::uint64_t{1} << 16U;
  const std::uint64_t stock = needs.stock + up_.outstanding();
  const std::uint64_t need = needs.goal + needs.deficits;
  if (stock < need && (stock <= needs.goal / 2 || stock < needs.deficits))
    up_.demanded = std::min(up_.demanded + (need - stock), up_.supplies.next() + most_outstanding);
  up_.excess = stock > need ? std::min(stock - need, up_.outstanding()) : 0;
}

void Upstream::want_no_more(Env& env) {
  if (!up_.attached() || up_.outstanding() == 0) return;
  up_.demanded = up_.announced = up_.supplies.next();
  up_.excess = 0;
  env.send(up_.parent, Alive{lineage_.root(), up_.epoch, up_.demanded, up_.supplies.next()},
           core::Cause::recovery);
}

void Upstream::demand(Env& env) {
  env.send(up_.parent, Demand{lineage_.root(), up_.epoch, up_.demanded, up_.supplies.next()});
  up_.announced = up_.demanded;
  up_.last_sent = env.now();
}

void Upstream::send(Env& env, std::uint64_t first, const std::vector<Result>& results,
                    core::Cause cause) {
  in_pieces(results, [&](std::size_t index, std::vector<Result> piece) {
    env.send(up_.parent,
             Results{lineage_.root(), up_.epoch, first + index, up_.demanded, up_.supplies.next(),
                     std::move(piece)},
             cause);
  });
  up_.last_sent = env.now();
}

void Upstream::flush(Env& env) {
  for (Result& result : held_)
    if (trail_.strays(result.task, {up_.parent, up_.epoch})) result.strayed = true;
  send(env, up_.results.next(), {held_.begin(), held_.end()}, Results::info.cause);
  for (const Result& result : held_) up_.results.push(result, env.now());
  held_.clear();
  up_.announced = up_.demanded;
}

// What the parent would have confirmed by now is lost.
void Upstream::resend_results(Env& env) {
  send(env, up_.results.first(), up_.results.again(env.now()), core::Cause::recovery);
}

void Upstream::say_alive(Env& env) {
  if (!held_.empty()) flush(env);
  const Duration quiet = home_.options.heartbeat();
  if (env.now() - up_.last_sent < quiet && env.now() - up_.last_heard < quiet) return;
  // The child that needed it has left. It would still come, once there is work, and lie here.
  up_.demanded -= std::exchange(up_.excess, 0);
  env.send(up_.parent, Alive{lineage_.root(), up_.epoch, up_.demanded, up_.supplies.next()});
  up_.announced = up_.demanded;
  up_.last_sent = env.now();
}

void Upstream::on(Env&, PeerId from, const Settled& message) {
  std::optional<Uplink> stay = farewells_.take(from, message.epoch);
  if (!stay) return;
  acknowledge(*stay, message.acknowledged);
  hold_first({stay->results.items().begin(), stay->results.items().end()});
}

// A Leave is repeated until it is answered; a parent that is silent for long is dead.
void Upstream::tend_farewells(Env& env) {
  hold_first(farewells_.expire(env.now(), home_.options.timeout));
  for (const auto& [stay, since] : farewells_.list())
    if (env.now() - since > home_.options.heartbeat())
      env.send(stay.parent, Leave{lineage_.root(), stay.epoch, stay.supplies.next()},
               core::Cause::recovery);
}

}  // namespace rhizome::agents::grid
