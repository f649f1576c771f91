#include "agents/dispatcher/round.hpp"

#include <algorithm>

namespace rhizome::agents::dispatching {

// Numbers go on through all lives, so that no answer to a former one is taken for one to this.
void Round::ask(Env& env, std::vector<std::size_t> servers) {
  if (number_ == 0) number_ = std::uint64_t{env.incarnation().value} << 40U;
  ++number_;
  asked_ = env.now();
  repetitions_ = 0;
  answers_.clear();
  missing_ = std::move(servers);
  for (const std::size_t server : missing_) env.send(fleet_.peer(server), Query{number_});
  expect(env);
}

void Round::expect(Env& env) {
  if (give_up_ == Duration::zero() || !open()) return;
  const Duration left = give_up_ - (env.now() - asked_);
  due_ = env.after(std::min(backoff_.wait(repetitions_), left), RoundDue{number_});
}

bool Round::over(Env& env) {
  if (open()) return false;
  env.cancel(std::exchange(due_, {}));
  return true;
}

bool Round::take(Env& env, std::size_t server, const Standing& standing) {
  if (standing.round != number_ || std::erase(missing_, server) == 0) return false;
  if (repetitions_ == 0) backoff_.answered(env.now() - asked_);
  answers_.push_back({server, standing});
  return over(env);
}

bool Round::drop(Env& env, std::size_t server) {
  return std::erase(missing_, server) > 0 && over(env);
}

bool Round::repeat(Env& env, const RoundDue& due) {
  if (due.round != number_ || !open()) return false;
  due_ = {};
  if (env.now() - asked_ >= give_up_) {
    for (const std::size_t server : std::exchange(missing_, {})) fleet_.hold_for(server, false);
    return true;
  }
  ++repetitions_;
  for (const std::size_t server : missing_)
    env.send(fleet_.peer(server), Query{number_}, Cause::recovery);
  expect(env);
  return false;
}

std::vector<Answer> Round::take_answers() {
  std::vector<Answer> taken = std::exchange(answers_, {});
  std::sort(taken.begin(), taken.end(),
            [](const Answer& a, const Answer& b) { return a.server < b.server; });
  return taken;
}

}  // namespace rhizome::agents::dispatching
