// A server: the processors of a peer and all tasks at it, served and waiting. Its discipline
// decides which are served. The server notes in facts when each task began and ended, and reports
// how many wait; a scheduler with more waiting tasks corrects that number afterwards.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "agents/discipline.hpp"
#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/resources.hpp"
#include "agents/service_time.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {

class Server {
 public:
  // Which part reports how many tasks wait at the peer: the server, or a scheduler if some tasks
  // wait before they are handed to the server.
  enum class Told : std::uint8_t { by_server, by_scheduler };

  explicit Server(const Capacity& capacity, Told told = Told::by_server)
      : Server(capacity, discipline_of(capacity.discipline), told) {}
  // The discipline outlives it.
  Server(const Capacity& capacity, const Discipline& discipline, Told told = Told::by_server)
      : capacity_(capacity),
        discipline_(&discipline),
        division_(made_division(discipline)),
        told_(told) {}

  [[nodiscard]] const Capacity& capacity() const { return capacity_; }
  // All that are here, in the order of their names.
  [[nodiscard]] const std::map<TaskId, ResidentTask>& residents() const { return held_; }

  // Tasks here that have not been begun.
  [[nodiscard]] std::size_t waiting() const { return held_.size() - begun_.size(); }

  // Tasks beyond one for each processor, which wait or share.
  [[nodiscard]] std::size_t excess() const {
    return held_.size() > capacity_.slots ? held_.size() - capacity_.slots : 0;
  }
  [[nodiscard]] bool idle() const { return held_.empty() && reserved_.empty(); }
  // Resources neither in use nor reserved; no processors if more are wanted than there are.
  [[nodiscard]] Resources free() const;
  // Whether all tasks have parts of the processors.
  [[nodiscard]] bool divides() const { return discipline_->rule == Rule::divides; }
  // The order of tasks that are not here yet.
  [[nodiscard]] core::Duration rank(const Task& task) const {
    return rank_of(task, *discipline_, capacity_.speed);
  }
  // Whether a task would be served as soon as it came, beside the reservations; where processors
  // are divided, whether fewer than `most` tasks are here. A scheduler that may give the task to
  // another peer keeps it until then.
  [[nodiscard]] bool would_serve(const Task& task, core::Time now,
                                 std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  // Holds room for a task that is to come, as far as it is known, under a name of the scheduler's.
  void reserve(std::uint64_t key, const Task& task) {
    reserved_.emplace(key, Reserved{rank(task), resources_of(task)});
  }
  void release(std::uint64_t key) { reserved_.erase(key); }
  // Service that a task here has had.
  [[nodiscard]] core::Duration attained(const ResidentTask& resident, core::Time now) const;
  // The service that an ended task has got: the time that passed, unless the server itself gave it
  // less than a processor.
  [[nodiscard]] core::Duration given(const core::WorkDone& done) const {
    return discipline_->rule == Rule::waits ? done.took : done.served;
  }

  // The service that the tasks here still need by their estimates, over the number of processors:
  // for a server with one processor that is never idle while it has tasks, the time until it is
  // idle.
  [[nodiscard]] core::Duration unfinished(core::Time now) const;

  // Nothing if it is here already.
  template <class Env>
  void accept(Env& env, const Task& task) {
    const auto [item, fresh] = held_.try_emplace(task.id);
    if (!fresh) return;
    Task told = task;
    told.duration = task.estimated();
    item->second = {.task = task,
                    .left = service_time(task, capacity_.speed),
                    .expected = nanoseconds(service_time(told, capacity_.speed)),
                    .number = count_++};
    wait(item->second);
    serve(env);
  }

  // Removes the task that has ended; nothing if the work is not of this server. A real computation
  // may end at the moment of its interruption.
  template <class Env>
  std::optional<Task> finish(Env& env, const core::WorkDone& done) {
    const auto found = begun_.find(done.id);
    if (found == begun_.end()) return {};
    ResidentTask* ended = found->second;
    const Task task = ended->task;
    note_rounding(rest_of(*ended, env.now()) * task.cpus);
    if (division_) division_->remove(ended, env.now());
    if (std::erase(served_, ended) == 0) take(Place{discipline_->rank(*ended), ended->number});
    begun_.erase(found);
    held_.erase(task.id);
    if (held_.empty()) rounded_ = 0;
    note_executed(env, task.id, given(done), done.result);
    serve(env);
    return task;
  }

  template <class Env>
  void on(Env& env, const DivideDue&) {
    dividing_ = {};
    divide(env);
  }

  // Stops these, and forgets them.
  template <class Env>
  void withdraw(Env& env, const std::vector<TaskId>& tasks) {
    for (const TaskId task : tasks) {
      const auto held = held_.find(task);
      if (held == held_.end()) continue;
      ResidentTask* resident = &held->second;
      if (resident->begun) {
        give_up(env, *resident);
        begun_.erase(resident->work);
      }
      if (division_) division_->remove(resident, env.now());
      if (std::erase(served_, resident) == 0)
        take(Place{discipline_->rank(*resident), resident->number});
      held_.erase(held);
    }
    serve(env);
  }

  // Stops everything, and forgets what waits.
  template <class Env>
  void stop(Env& env) {
    for (const auto& [work, resident] : begun_) give_up(env, *resident);
    env.cancel(std::exchange(dividing_, {}));
    begun_.clear();
    served_.clear();
    division_ = made_division(*discipline_);
    waiting_.clear();
    waiting_work_ = rounded_ = 0;
    held_.clear();
    reserved_.clear();
    if (told_ == Told::by_server) env.waiting(0);
  }

 private:
  using Rule = Discipline::Rule;
  using Place = std::pair<core::Duration, std::uint64_t>;  // rank and number

  struct Reserved {
    core::Duration rank;
    Resources needs;
  };

  static double nanoseconds(core::Duration time) { return static_cast<double>(time.count()); }
  static double rest_of(const ResidentTask& resident, core::Time now) {
    return resident.expected - nanoseconds(now - resident.since) * resident.rate;
  }
  // Shares are rounded to whole nanoseconds at each change of rates, so that a task gets a little
  // more or less than it needs. Others are owed the difference: without it, servers with equal work
  // would differ. The error of an estimate is larger than that.
  static bool is_rounding(double rest) { return std::abs(rest) < 1000; }
  void note_rounding(double rest) {
    if (is_rounding(rest)) rounded_ += rest;
  }
  static double work_of_waiting(const ResidentTask& resident);

  void wait(ResidentTask& resident);
  ResidentTask* take(Place place);

  template <class Env>
  void serve(Env& env) {
    while (!waiting_.empty() && (has_room(*waiting_.begin()->second) || make_room(env))) {
      ResidentTask* resident = take(waiting_.begin()->first);
      resident->since = env.now();
      served_.push_back(resident);
      if (division_)
        division_->add(resident, env.now());
      else
        pace(env, *resident, 1);
    }
    if (division_) divide(env);
    if (told_ == Told::by_server) env.waiting(waiting());
  }
  [[nodiscard]] bool has_room(const ResidentTask& resident) const {
    return fits_beside(resident, served_);
  }
  // A discipline that divides processors gives no task a whole one; memory and named resources are
  // held whole, as under any other.
  [[nodiscard]] bool has_room_for(const Resources& needs) const;
  [[nodiscard]] core::Duration rank_of_served(const ResidentTask& resident, core::Time now) const;
  // A task that is too large for the peer has it alone.
  [[nodiscard]] bool fits_beside(const ResidentTask& resident,
                                 std::span<ResidentTask* const> others) const;
  // Tasks of a greater rank than the first waiting task, the greatest first, whose interruption
  // makes room for it; none if even all of them would not be enough.
  [[nodiscard]] std::vector<ResidentTask*> in_its_way(core::Time now);
  // Interrupts them; whether the first that waits has room now.
  template <class Env>
  bool make_room(Env& env) {
    const std::vector<ResidentTask*> interrupted = in_its_way(env.now());
    for (ResidentTask* resident : interrupted) {
      pace(env, *resident, 0);
      std::erase(served_, resident);
      wait(*resident);
    }
    return !interrupted.empty();
  }
  template <class Env>
  void divide(Env& env) {
    static_assert(core::one_of<DivideDue, typename Env::Timers>, "DivideDue is a timer of servers");
    division_->divide(capacity_.slots, env.now(),
                      [&](ResidentTask& resident, double rate) { pace(env, resident, rate); });
    env.cancel(std::exchange(dividing_, {}));
    if (const auto next = division_->until_next()) dividing_ = env.after(*next, DivideDue{});
  }

  template <class Env>
  void give_up(Env& env, ResidentTask& resident) const {
    account(resident, env.now());
    env.note(ServiceLost{resident.task.id,
                         service_time(resident.task, capacity_.speed) - resident.left});
    env.stop(resident.work);
  }
  static void account(ResidentTask& resident, core::Time now);
  // A task at rate 0 has not begun yet.
  template <class Env>
  void pace(Env& env, ResidentTask& resident, double rate) {
    if (resident.rate == rate) return;
    account(resident, env.now());
    if (!resident.begun) {
      resident.begun = true;
      resident.work = env.work(work_of(resident.task, resident.left));
      begun_.emplace(resident.work, &resident);
      env.note(TaskStarted{resident.task.id});
      resident.rate = 1;
    }
    if (resident.rate != rate) env.pace(resident.work, rate);
    resident.rate = rate;
  }

  Capacity capacity_;
  const Discipline* discipline_;
  std::map<TaskId, ResidentTask> held_;
  std::map<Place, ResidentTask*> waiting_;
  double waiting_work_ = 0;  // ns of one processor: exact below 2^53
  double rounded_ = 0;       // see note_rounding
  std::vector<ResidentTask*> served_;
  std::unique_ptr<Division> division_;  // none: each task that is served has its processors
  core::TimerId dividing_{};
  std::map<core::WorkId, ResidentTask*> begun_;  // served, or interrupted
  std::map<std::uint64_t, Reserved> reserved_;
  Told told_ = Told::by_server;
  std::uint64_t count_ = 0;
};

}  // namespace rhizome::agents
