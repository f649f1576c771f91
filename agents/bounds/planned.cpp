#include "agents/bounds/planned.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "agents/server.hpp"

namespace rhizome::agents::bounds {

namespace {

struct PlaceDue {
  Task task;
};

class Planned {
 public:
  using Messages = core::Nothing;
  using Facts = core::OneOf<TaskStarted, TaskExecuted, TaskComputed, GraphSubmitted, TasksAdded>;
  using Env = core::Env<Messages, core::OneOf<PlaceDue, DivideDue>, Facts>;
  using Hears = core::OneOf<Submitted, Drained>;
  static constexpr std::string_view name = "planned";

  Planned(PeerId self, std::shared_ptr<const PlacementPlan> plan, Duration reaction,
          const Capacity& capacity)
      : plan_(std::move(plan)),
        turns_(plan_->turns.at(self.value)),
        reaction_(reaction),
        server_(capacity) {}

  // A task is at its planned peer at once, and becomes due once an order for it could have been
  // given.
  void on(Env& env, const Submitted& job) {
    for (const Task& task : job.tasks) {
      tell_of_graph(env, task.id);
      const Duration wait = std::max(reaction_, plan_->begins(task.id) - env.now());
      ++held_back_;
      if (wait > Duration::zero())
        env.after(wait, PlaceDue{task});
      else
        due_.emplace(task.id, task);
    }
    take_turns(env);
  }
  void on(Env& env, const PlaceDue& due) {
    due_.emplace(due.task.id, due.task);
    take_turns(env);
  }
  void on(Env& env, const core::WorkDone& done) {
    const auto task = server_.finish(env, done);
    env.waiting(held_back_ + server_.waiting());
    if (!task) return;
    env.raise(Finished{task->id, env.self()});
    tell_of_growth(env, task->id);
  }
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  // The other peers have all the time that they need.
  void on(Env& env, const Drained&) { env.rest(); }

 private:
  // Begins due tasks in the order of the plan, even if several are due at once.
  void take_turns(Env& env) {
    for (; turn_ < turns_.size(); ++turn_, --held_back_) {
      const auto next = due_.extract(turns_[turn_]);
      if (next.empty()) break;
      server_.accept(env, next.mapped());
    }
    env.waiting(held_back_ + server_.waiting());
  }
  // No peer is handed a whole graph: the peer that has its first task notes the shape of the graph.
  void tell_of_graph(Env& env, TaskId task) const {
    const auto graph = plan_->graphs.find(task.job);
    if (task.portion != 0 || graph == plan_->graphs.end()) return;
    if (graph->second.shape.edges > 0) env.note(submitted(task.job, graph->second.shape));
  }
  void tell_of_growth(Env& env, TaskId task) const {
    const auto graph = plan_->graphs.find(task.job);
    if (graph == plan_->graphs.end()) return;
    for (const Growth& growth : graph->second.growth)
      if (growth.by == task.portion) env.note(TasksAdded{task, growth.first, growth.count});
  }

  const std::shared_ptr<const PlacementPlan> plan_;
  const std::vector<TaskId>& turns_;
  const Duration reaction_;
  Server server_;
  std::map<TaskId, Task> due_;  // tasks whose turn has not come
  std::size_t turn_ = 0;        // index of the next turn
  std::size_t held_back_ = 0;   // tasks that may run, and have not begun by the plan
};

// Whether tasks end when the plan says. Otherwise the dependencies of tasks cannot be planned.
bool takes_as_long_as_it_says(const World& world) {
  const auto& recipes = world.profile.recipes;
  return !world.shares_processors && !world.handling_costs && !world.files.used &&
         std::all_of(recipes.begin(), recipes.end(),
                     [](const core::Recipe& recipe) { return recipe == core::Recipe{}; });
}

}  // namespace

Deployment follow(std::shared_ptr<const PlacementPlan> plan, const World& world,
                  Duration reaction) {
  return {.equip =
              [plan, reaction, &world](core::Peer& peer) {
                peer.add<Planned>(peer.id(), plan, reaction, world.capacities[peer.id().value]);
                peer.add<Client>(world.first_life(peer.id()));
              },
          .entries = {.of =
                          [plan](TaskId task) {
                            const PeerId peer = plan->at(task);
                            return Entry{peer, peer, plan->from(task)};
                          },
                      .keepers = world.all_peers(),
                      .by_task = true}};
}

std::string unplannable(const World& world) {
  if (world.live) return "it plans for all jobs beforehand, and these come while the run goes on";
  const bool graphs = world.profile.graphs.edges > 0 || world.profile.grows();
  if (graphs && !takes_as_long_as_it_says(world))
    return "it plans when tasks that need each other are done, and real work, files, shared "
           "processors and handling that costs time take what they take";
  return {};
}

}  // namespace rhizome::agents::bounds
