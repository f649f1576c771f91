#include "agents/dispatcher/assigned_tasks.hpp"

#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::dispatching {

void AssignedTasks::start(Env& env) {
  if (recovers_) asking_ = env.after(keep_alive_, AskDue{level_});
}

void AssignedTasks::stop(Env& env) { env.cancel(asking_); }

void AssignedTasks::give(Env& env, std::size_t taker, const Task& task, std::uint64_t arrivals) {
  Taker& book = takers_[taker];
  const std::uint64_t number = ++book.last;
  book.open.emplace(number, Given{task, env.now()});
  places_.insert_or_assign(task.id, Place{taker, number});
  note_handed(env, task.id, fleet_.peer(taker));
  env.send(fleet_.peer(taker), Assign{level_, env.incarnation().value, number, arrivals, task});
}

void AssignedTasks::close(TaskId task) {
  const auto place = places_.find(task);
  if (place == places_.end()) return;
  takers_[place->second.taker].open.erase(place->second.number);
  places_.erase(place);
}

bool AssignedTasks::done(Env& env, PeerId from, const Done& message) {
  const TaskId task = message.product.task;
  close(task);
  if (!recovers_) return true;
  env.send(from, Noted{level_, task});
  return closed_.insert(task).second;
}

std::vector<Task> AssignedTasks::missing(Env& env, std::size_t taker, const Missing& message) {
  std::vector<Task> tasks;
  if (message.life != env.incarnation().value) return tasks;
  for (const Item& item : message.items) {
    const auto given = takers_[taker].open.find(item.number);
    if (given == takers_[taker].open.end() || given->second.task.id != item.task) continue;
    env.note(TaskReissued{item.task, fleet_.peer(taker), "missing"});
    tasks.push_back(given->second.task);
    close(item.task);
  }
  return tasks;
}

bool AssignedTasks::heard(std::size_t taker) {
  takers_[taker].unanswered = 0;
  if (fleet_.alive(taker)) return false;
  fleet_.hold_for(taker, true);
  return true;
}

std::vector<Item> AssignedTasks::given_until(const Taker& taker, core::Time until) const {
  std::vector<Item> items;
  for (const auto& [number, given] : taker.open)
    if (given.at <= until) items.push_back({number, given.task.id});
  return items;
}

void AssignedTasks::send_ask(Env& env, std::size_t taker, const std::vector<Item>& items) const {
  in_pieces(items, [&](std::size_t, std::vector<Item> piece) {
    env.send(fleet_.peer(taker), Ask{level_, env.incarnation().value, std::move(piece)});
  });
}

void AssignedTasks::ask_for_all(Env& env, std::size_t taker) {
  send_ask(env, taker, given_until(takers_[taker], env.now()));
}

void AssignedTasks::take_back(Env& env, std::size_t taker, const char* reason,
                              std::vector<Task>& tasks) {
  for (const auto& [number, given] : std::exchange(takers_[taker].open, {})) {
    env.note(TaskReissued{given.task.id, fleet_.peer(taker), reason});
    tasks.push_back(given.task);
    places_.erase(given.task.id);
  }
}

// A dead taker, or one that was silent for as long, is asked whether it is back.
auto AssignedTasks::ask(Env& env) -> Asked {
  Asked asked;
  asking_ = env.after(keep_alive_, AskDue{level_});
  for (std::size_t i = 0; i < takers_.size(); ++i) {
    Taker& taker = takers_[i];
    const std::vector<Item> old = given_until(taker, env.now() - keep_alive_);
    const bool dies = fleet_.alive(i) && taker.unanswered == most_asked;
    if (dies) {
      fleet_.hold_for(i, false);
      asked.dead.push_back(i);
    }
    if (!fleet_.alive(i)) {
      take_back(env, i, "dead", asked.tasks);
      env.send(fleet_.peer(i), Ask{level_, env.incarnation().value, {}});
    } else if (!old.empty()) {
      ++taker.unanswered;
      send_ask(env, i, old);
    }
  }
  return asked;
}

}  // namespace rhizome::agents::dispatching
