// The executing side of a Sparrow peer: a server, and before it a queue of placeholders and bound
// tasks in the order of its discipline.
#pragma once

#include <cstdint>

#include "agents/server.hpp"
#include "agents/sparrow/forecast.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/task_queue.hpp"
#include "core/peer/env.hpp"
#include "core/peer/flat.hpp"
#include "overlay/descriptor.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

class Worker {
 public:
  using Messages = core::OneOf<Assign, Cancel, Audit>;
  using Timers = core::OneOf<ReadyDue, DivideDue>;
  using Signals = core::OneOf<overlay::Liveness>;

  // `seed`: the seed of the run.
  Worker(const Options& options, const Capacity& capacity, std::uint64_t seed,
         overlay::FailureDetector& detector)
      : options_(options),
        server_(capacity, Server::Told::by_scheduler),
        forecast_(options, capacity, seed),
        detector_(detector),
        queue_(capacity) {}

  [[nodiscard]] const Capacity& capacity() const { return server_.capacity(); }
  // Whether the discipline of peers orders tasks by more than when they came.
  [[nodiscard]] bool orders() const {
    return !server_.divides() && capacity().discipline != DisciplineId{};
  }
  [[nodiscard]] core::Duration rank(const Task& task) const { return server_.rank(task); }
  [[nodiscard]] bool large_enough(const Resources& needs) const {
    return needs.within(capacity().room());
  }
  // Whether room is free now.
  [[nodiscard]] bool has_room(const Resources& needs) const { return needs.within(server_.free()); }
  // Whether a placeholder that comes now may stay, and need not look for a better place.
  [[nodiscard]] bool takes(const Resources& needs) const {
    if (options_.stays != Stays::with_room && !queue_.empty()) return false;
    return options_.stays == Stays::free_processor ? server_.free().cpus > 0 : has_room(needs);
  }
  // Tasks that are bound to this peer and have not been begun.
  [[nodiscard]] std::uint32_t waiting() const {
    return bound_ + static_cast<std::uint32_t>(server_.waiting());
  }
  // Whether a placeholder for this task is here already, so that another one should go elsewhere.
  // Of walks that come again and again, because hardly any other peer is large enough, the ninth
  // may end here.
  [[nodiscard]] bool sends_on(TaskId task);
  // Whether a task of that master is here.
  [[nodiscard]] bool serves(PeerId master) const;
  [[nodiscard]] overlay::Advert advert() const;
  [[nodiscard]] Load load(const Env& env, std::uint32_t sampling) const;

  void deposit(Env& env, const Probe& probe);
  void place(Env& env, PeerId master, const Task& task);
  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const Cancel& message);
  void on(Env& env, PeerId from, const Audit& message);
  void on(Env& env, const ReadyDue& due);
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const core::WorkDone& done);
  // Drops all tasks and placeholders of a dead master.
  void on(Env& env, const overlay::Liveness& news);
  void stop(Env& env);

 private:
  // A place in the queue: a placeholder for any task of a master, or a bound task.
  struct Entry {
    std::uint64_t id;
    PeerId master;
    Task task;  // of a placeholder: the description in its probe
    bool bound = false;
  };
  struct Reserved {
    Entry entry;
    core::TimerId retry;
  };
  // The placeholders for one task.
  struct Standing {
    std::uint32_t placeholders = 0;
    std::uint32_t sent_on = 0;  // walks for the task that were sent on
  };
  // Drops and returns what this peer had of that master.
  Unknown bury(Env& env, PeerId master);
  [[nodiscard]] double utility(core::Time now) const;
  // Entries that wait, and tasks at the server beyond one for each processor.
  [[nodiscard]] std::size_t crowd() const { return queue_.size() + server_.excess(); }
  void enqueue(Env& env, Entry entry);
  void look(Env& env);
  void begin(Env& env, PeerId master, const Task& task);
  using Reservations = core::FlatMap<std::uint64_t, Reserved>;
  Reservations::iterator release(Env& env, Reservations::iterator reserved);
  void forget(const Entry& entry);
  bool tell_if_executed(Env& env, PeerId master, TaskId task) const;
  void watch(const Env& env, PeerId master);
  bool withdraw(PeerId master, std::uint64_t placeholder);
  [[nodiscard]] bool holds(TaskId task) const;
  [[nodiscard]] bool stands(std::uint64_t placeholder) const;

  const Options& options_;
  Server server_;
  Forecast forecast_;
  overlay::FailureDetector& detector_;
  TaskQueue<Entry> queue_;
  Reservations reserved_;
  core::SmallFlatMap<TaskId, PeerId> running_;           // tasks at the server, and their masters
  core::FlatMap<TaskId, Standing> stand_for_;            // tasks for which placeholders were
                                                         // deposited
  core::FlatMap<TaskId, core::DeclaredBytes> executed_;  // done tasks, and the bytes that they give
  std::uint32_t next_ = 0;
  std::uint32_t bound_ = 0;  // bound entries of the queue
};

}  // namespace rhizome::agents::sparrow
