#include "agents/dispatcher/polling.hpp"

#include <utility>

namespace rhizome::agents::dispatching {

std::optional<ServerChoice> Polling::choose(Env& env) {
  if (choice_) return std::exchange(choice_, {});
  if (round_.open()) return {};
  const bool all = options_.chooses_among_all();
  std::vector<std::size_t> asked = all ? fleet_.living() : fleet_.draw(options_.choices, env.rng());
  if (!asked.empty()) round_.ask(env, std::move(asked));
  return {};
}

void Polling::on(Env& env, std::size_t server, const Standing& standing) {
  if (round_.take(env, server, standing)) conclude(env);
}

void Polling::on(Env& env, const RoundDue& due) {
  if (round_.repeat(env, due)) conclude(env);
}

void Polling::lost(Env& env, std::size_t server) {
  if (round_.drop(env, server)) conclude(env);
}

// Without any answer the task is asked for again.
void Polling::conclude(Env& env) {
  const std::vector<Answer> answers = round_.take_answers();
  if (answers.empty()) return;
  const bool by_work = options_.by_work();
  const Answer& best =
      best_of(answers, options_.ties, env.rng(), [by_work](const Answer& a, const Answer& b) {
        return by_work ? a.standing.work < b.standing.work : a.standing.tasks < b.standing.tasks;
      });
  choice_ = ServerChoice{best.server, best.standing.arrivals};
}

}  // namespace rhizome::agents::dispatching
