#include "agents/round_robin.hpp"

#include <deque>

#include "agents/possible.hpp"

namespace rhizome::agents {

namespace {

using core::Cause;
using core::MessageClass;

struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  Task task;
};
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  TaskId task;
};
struct Over {
  static constexpr core::MessageInfo info{"over", MessageClass::information, Cause::termination};
};
struct JobDue {
  std::uint32_t job;
};
struct Options {};

class RoundRobin {
 public:
  using Messages = core::OneOf<Assign, Done, Over>;
  using Timers = core::OneOf<JobDue>;
  using Env = core::Env<Messages, Timers, WorkFacts>;
  static constexpr std::string_view name = "round-robin";

  RoundRobin(core::PeerId self, const World& world)
      : self_(self), world_(world), executor_(world.capacities[self.value]) {}

  // Only the source assigns and ends, and only it is told of results.
  template <class M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const {
    const core::PeerId one_end = std::is_same_v<M, Done> ? self_ : from;
    return one_end == world_.source && possible(message, world_.peers());
  }
  void start(Env& env) {
    if (env.self() != world_.source) return;
    for (const Job& job : world_.workload.jobs) env.after(job.arrival - env.now(), JobDue{job.id});
  }
  void on(Env& env, const JobDue& due) {
    for (const Task& task : world_.workload.jobs[due.job].portions) {
      env.note(submitted(task));
      env.send(core::PeerId{next_}, Assign{task});
      next_ = (next_ + 1) % world_.peers();
    }
  }
  void on(Env& env, core::PeerId, const Assign& assign) {
    waiting_.push_back(assign.task);
    run(env);
  }
  void on(Env& env, const core::WorkDone& done) {
    if (const auto task = executor_.finish(env, done)) env.send(world_.source, Done{task->id});
    run(env);
  }
  void on(Env& env, core::PeerId from, const Done& done) {
    env.note(TaskCompleted{done.task, from});
    if (++completed_ < world_.workload.tasks()) return;
    for (std::uint32_t i = 0; i < world_.peers(); ++i) env.send(core::PeerId{i}, Over{});
  }
  void on(Env& env, core::PeerId, const Over&) { env.finish(); }

 private:
  void run(Env& env) {
    for (; !waiting_.empty() && executor_.fits(waiting_.front()); waiting_.pop_front())
      executor_.start(env, waiting_.front());
  }

  const core::PeerId self_;
  const World& world_;
  Executor executor_;
  std::deque<Task> waiting_;
  std::uint32_t next_ = 0;
  std::size_t completed_ = 0;
};

void equip(core::Peer& peer, const Options&, const World& world) {
  peer.add<RoundRobin>(peer.id(), world);
}

// It re-issues nothing, so no peer may die.
std::vector<core::PeerId> everybody(const Options&, const World& world) {
  std::vector<core::PeerId> peers(world.peers());
  for (std::uint32_t i = 0; i < world.peers(); ++i) peers[i] = core::PeerId{i};
  return peers;
}

}  // namespace

Scheduler round_robin() {
  return make_scheduler<Options>(
      {.name = "round-robin",
       .summary = "deals tasks to peers in turn; knows nothing, survives nothing",
       .equip = equip,
       .essential = everybody});
}

}  // namespace rhizome::agents
