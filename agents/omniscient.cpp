#include "agents/omniscient.hpp"

#include <algorithm>
#include <deque>
#include <memory>

#include "agents/omniscient_plan.hpp"

namespace rhizome::agents {

namespace {

using core::Duration;
using core::PeerId;

struct Options {
  Duration delay{0};
};

core::Settings<Options> settings() {
  return core::Settings<Options>{}.add(
      "delay", &Options::delay,
      {"Time that a task takes to the central scheduler, and once more from it to a peer; 0: the "
       "bound. The scheduler itself takes none, and its messages are not counted.",
       "our choice; Ousterhout et al. 2013 give their ideal 0.5 ms", 0, 1e6});
}

struct ArrivalDue {
  std::size_t index;
};
struct PlaceDue {
  std::size_t index;
};
struct EndDue {};
// No message is ever sent, but every protocol has a set of them.
struct Silence {
  static constexpr core::MessageInfo info{"silence", core::MessageClass::information,
                                          core::Cause::probe};
};

using SharedPlan = std::shared_ptr<const OmniscientPlan>;

class Omniscient {
 public:
  using Messages = core::OneOf<Silence>;
  using Timers = core::OneOf<ArrivalDue, PlaceDue, EndDue>;
  using Env = core::Env<Messages, Timers, WorkFacts>;
  static constexpr std::string_view name = "omniscient";

  Omniscient(PeerId self, const Options& options, const World& world, SharedPlan plan)
      : options_(options),
        world_(world),
        plan_(std::move(plan)),
        mine_(plan_->of[self.value]),
        executor_(world.capacities[self.value]) {}

  void start(Env& env) {
    for (std::size_t i = 0; i < mine_.size(); ++i)
      env.after(world_.workload.jobs[mine_[i]->id.job].arrival - env.now(), ArrivalDue{i});
    env.after(plan_->end - env.now(), EndDue{});
  }
  void on(Env& env, const EndDue&) {
    ended_ = true;
    rest(env);
  }
  void on(Env& env, const ArrivalDue& due) {
    env.note(submitted(*mine_[due.index]));
    if (options_.delay > Duration::zero()) {
      env.after(2 * options_.delay, PlaceDue{due.index});
    } else {
      on(env, PlaceDue{due.index});
    }
  }
  void on(Env& env, const PlaceDue& due) {
    waiting_.push_back(mine_[due.index]);
    run(env);
  }
  void on(Env& env, const core::WorkDone& done) {
    if (const auto task = executor_.finish(env, done)) {
      env.note(TaskCompleted{task->id, env.self()});
      ++completed_;
    }
    run(env);
    rest(env);
  }
  void on(Env&, PeerId, const Silence&) {}

 private:
  // Nobody goes before everybody's work should be done.
  void rest(Env& env) {
    if (ended_ && completed_ == mine_.size()) env.finish();
  }
  void run(Env& env) {
    for (; !waiting_.empty() && executor_.fits(*waiting_.front()); waiting_.pop_front())
      executor_.start(env, *waiting_.front());
  }

  const Options options_;
  const World& world_;
  const SharedPlan plan_;
  const std::vector<const Task*>& mine_;
  Executor executor_;
  std::deque<const Task*> waiting_;
  std::size_t completed_ = 0;
  bool ended_ = false;
};

// One plan for all: it is the same whoever makes it, and takes long in a large world.
Equipment prepare(const Options& options, const World& world,
                  const std::function<bool()>& stopped) {
  auto plan = std::make_shared<const OmniscientPlan>(plan_for(world, 2 * options.delay, stopped));
  return [&options, &world, plan = std::move(plan)](core::Peer& peer) {
    peer.add<Omniscient>(peer.id(), options, world, plan);
  };
}

std::vector<PeerId> everybody(const Options&, const World& world) {
  std::vector<PeerId> peers(world.peers());
  for (std::uint32_t i = 0; i < world.peers(); ++i) peers[i] = PeerId{i};
  return peers;
}

std::string refusal(const Options&, const World& world) {
  for (const Job& job : world.workload.jobs)
    for (const Task& task : job.portions)
      if (std::none_of(world.capacities.begin(), world.capacities.end(), [&](const Capacity& c) {
            return task.cpus <= c.slots && task.memory <= c.memory;
          }))
        return "task " + std::to_string(task.id.job) + "." + std::to_string(task.id.portion) +
               " fits no peer";
  return {};
}

}  // namespace

Scheduler omniscient() {
  return make_scheduler<Options>(
      {.name = "omniscient",
       .summary = "a bound: all tasks are known beforehand, and placed without messages",
       .settings = settings(),
       .prepare = prepare,
       .essential = everybody,
       .refusal = refusal});
}

}  // namespace rhizome::agents
