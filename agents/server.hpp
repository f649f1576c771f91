// A server: the processors of a peer and all tasks at it, those that are served and those that
// wait. Its discipline says who is served, and it says in facts when each began and ended, and how
// many wait; a scheduler that has more of them says so afterwards.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "agents/discipline.hpp"
#include "agents/facts.hpp"
#include "agents/resources.hpp"
#include "agents/service_time.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {

class Server {
 public:
  explicit Server(const Capacity& capacity)
      : Server(capacity, disciplines()[static_cast<std::size_t>(capacity.discipline)]) {}
  // The discipline outlives it.
  Server(const Capacity& capacity, const Discipline& discipline)
      : capacity_(capacity), discipline_(&discipline) {}

  [[nodiscard]] const Capacity& capacity() const { return capacity_; }
  // All that are here, in the order of their names.
  [[nodiscard]] const std::map<TaskId, Guest>& guests() const { return held_; }

  // Those of them that have not been begun.
  [[nodiscard]] std::size_t waiting() const { return held_.size() - begun_.size(); }

  // Nothing if it is here already.
  template <class Env>
  void accept(Env& env, const Task& task) {
    const auto [item, fresh] = held_.try_emplace(task.id);
    if (!fresh) return;
    item->second = {.task = task, .left = service_time(task, capacity_.speed), .number = count_++};
    wait(item->second);
    serve(env);
  }

  // The task that has ended, which leaves; nothing when the work is not of this server. What is
  // really done may end in the moment in which it is interrupted.
  template <class Env>
  std::optional<Task> finish(Env& env, const core::WorkDone& done) {
    const auto found = begun_.find(done.id);
    if (found == begun_.end()) return {};
    const Guest* ended = found->second;
    const Task task = ended->task;
    if (std::erase(served_, ended) == 0)
      std::erase_if(waiting_, [&](const auto& item) { return item.second == ended; });
    begun_.erase(found);
    held_.erase(task.id);
    note_executed(env, task.id, done.served, done.result);
    serve(env);
    return task;
  }

  // Stops these, and forgets them.
  template <class Env>
  void withdraw(Env& env, const std::vector<TaskId>& tasks) {
    for (const TaskId task : tasks) {
      const auto held = held_.find(task);
      if (held == held_.end()) continue;
      Guest* guest = &held->second;
      if (guest->begun) {
        env.stop(guest->work);
        begun_.erase(guest->work);
      }
      if (std::erase(served_, guest) == 0)
        std::erase_if(waiting_, [&](const auto& item) { return item.second == guest; });
      held_.erase(held);
    }
    serve(env);
  }

  // Stops everything, and forgets what waits.
  template <class Env>
  void stop(Env& env) {
    for (const auto& [work, guest] : begun_) env.stop(work);
    begun_.clear();
    served_.clear();
    waiting_.clear();
    held_.clear();
    env.waiting(0);
  }

 private:
  using Rule = Discipline::Rule;
  using Place = std::pair<core::Duration, std::uint64_t>;  // rank and number

  void wait(Guest& guest) {
    waiting_.emplace(Place{discipline_->rank(guest), guest.number}, &guest);
  }

  template <class Env>
  void serve(Env& env) {
    while (!waiting_.empty() && (has_room(*waiting_.begin()->second) || make_room(env))) {
      Guest* guest = waiting_.extract(waiting_.begin()).mapped();
      served_.push_back(guest);
      if (discipline_->rule != Rule::shares) pace(env, *guest, 1);
    }
    if (discipline_->rule == Rule::shares) share(env);
    env.waiting(waiting());
  }
  // Who is too large for the peer has it alone.
  [[nodiscard]] bool has_room(const Guest& guest) const {
    if (served_.empty() || discipline_->rule == Rule::shares) return true;
    Resources needed = resources_of(guest.task);
    for (const Guest* other : served_) needed = needed + resources_of(other->task);
    return needed.within(capacity_.room());
  }
  // Interrupts the one who needs the most, if that is more than the first who waits.
  template <class Env>
  bool make_room(Env& env) {
    if (discipline_->rule != Rule::interrupts) return false;
    for (Guest* guest : served_) account(*guest, env.now());
    const auto last = std::max_element(served_.begin(), served_.end(), [&](auto* a, auto* b) {
      return discipline_->rank(*a) < discipline_->rank(*b);
    });
    if (discipline_->rank(**last) <= waiting_.begin()->first.first) return false;
    Guest& guest = **last;
    pace(env, guest, 0);
    served_.erase(last);
    wait(guest);
    return true;
  }
  template <class Env>
  void share(Env& env) {
    double wanted = 0;
    for (const Guest* guest : served_) wanted += guest->task.cpus;
    for (Guest* guest : served_) pace(env, *guest, std::min(1.0, capacity_.slots / wanted));
  }

  static void account(Guest& guest, core::Time now) {
    const auto passed = static_cast<double>((now - std::exchange(guest.since, now)).count());
    guest.left -= core::Duration(static_cast<std::int64_t>(passed * guest.rate));
  }
  template <class Env>
  void pace(Env& env, Guest& guest, double rate) {
    account(guest, env.now());
    if (guest.rate == rate) return;
    if (!guest.begun) {
      guest.begun = true;
      guest.work = env.work(work_of(guest.task, guest.left));
      begun_.emplace(guest.work, &guest);
      env.note(TaskStarted{guest.task.id});
      guest.rate = 1;
    }
    if (guest.rate != rate) env.pace(guest.work, rate);
    guest.rate = rate;
  }

  Capacity capacity_;
  const Discipline* discipline_;
  std::map<TaskId, Guest> held_;
  std::map<Place, Guest*> waiting_;
  std::vector<Guest*> served_;
  std::map<core::WorkId, Guest*> begun_;  // served, or interrupted
  std::uint64_t count_ = 0;
};

}  // namespace rhizome::agents
