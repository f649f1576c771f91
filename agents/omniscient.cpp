#include "agents/omniscient.hpp"

#include <memory>

#include "agents/omniscient_plan.hpp"
#include "agents/server.hpp"

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

struct PlaceDue {
  Task task;
};

class Omniscient {
 public:
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<PlaceDue>, WorkFacts>;
  using Hears = core::OneOf<Submitted, Drained>;
  static constexpr std::string_view name = "omniscient";

  Omniscient(const Options& options, const Capacity& capacity)
      : options_(options), server_(capacity) {}

  // Orders go to the planned peer at once, and begin to count once they could have been given.
  void on(Env& env, const Submitted& job) {
    for (const Task& task : job.tasks) {
      if (options_.delay > Duration::zero())
        env.after(2 * options_.delay, PlaceDue{task});
      else
        server_.accept(env, task);
    }
  }
  void on(Env& env, const PlaceDue& due) { server_.accept(env, due.task); }
  void on(Env& env, const core::WorkDone& done) {
    if (const auto task = server_.finish(env, done)) env.raise(Finished{task->id, env.self()});
  }
  // The others have all the time that they need.
  void on(Env& env, const Drained&) { env.rest(); }

 private:
  const Options options_;
  Server server_;
};

// One plan for all: it is the same whoever makes it, and takes long in a large world.
Deployment prepare(const Options& options, const World& world,
                   const std::function<bool()>& stopped) {
  auto plan = std::make_shared<const OmniscientPlan>(plan_for(world, 2 * options.delay, stopped));
  return {.equip =
              [&options, &world](core::Peer& peer) {
                peer.add<Omniscient>(options, world.capacities[peer.id().value]);
                peer.add<Client>(world.first_life(peer.id()));
              },
          .entries = {.of =
                          [plan](TaskId task) {
                            const PeerId peer = plan->at(task);
                            return Entry{peer, peer};
                          },
                      .keepers = world.everybody(),
                      .by_task = true}};
}

std::string refusal(const Options&, const World& world) {
  if (world.profile.graphs.edges > 0) return "it places tasks that need nobody, and no others";
  return world.live ? "it plans for all jobs beforehand, and these come while the run goes on" : "";
}

}  // namespace

Scheduler omniscient() {
  return make_scheduler<Options>(
      {.name = "omniscient",
       .summary = "a bound: all tasks are known beforehand, and placed without messages",
       .finds_room = true,
       .settings = settings(),
       .prepare = prepare,
       .essential = everybody<Options>,
       .refusal = refusal});
}

}  // namespace rhizome::agents
