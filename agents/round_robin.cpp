// Round robin: every task to the next peer in turn. The smallest scheduler, as a floor to compare
// with and as an example of what adding one takes.
#include "agents/farewell.hpp"
#include "agents/possible.hpp"
#include "agents/schedulers.hpp"
#include "agents/server.hpp"

namespace rhizome::agents {

namespace {

struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  Task task;
};
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  Product task;
};
class RoundRobin {
 public:
  using Messages = core::OneOf<Assign, Done, Over>;
  using Hears = core::OneOf<Submitted, Drained>;
  using Env = core::Env<Messages, core::OneOf<DivideDue>, WorkFacts>;
  static constexpr std::string_view name = "round-robin";
  RoundRobin(core::PeerId self, const NoOptions&, const World& world)
      : world_(world), server_(world.capacities[self.value]) {}
  template <class M>
  bool believes(core::PeerId from, const M& message) const {
    return possible(message, world_.peers()) && (from == world_.source || std::is_same_v<M, Done>);
  }
  void on(Env& env, const Submitted& job) {
    for (const Task& task : job.tasks) {
      const core::PeerId to{next_++ % world_.peers()};
      note_handed(env, task.id, to);
      env.send(to, Assign{task});
    }
  }
  void on(Env& env, core::PeerId, const Assign& assign) { server_.accept(env, assign.task); }
  void on(Env& env, const core::WorkDone& done) {
    if (const auto task = server_.finish(env, done))
      env.send(world_.source, Done{product_of(*task)});
  }
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, core::PeerId from, const Done& done) { env.raise(Finished{done.task, from}); }
  void on(Env& env, const Drained&) {
    for (const core::PeerId peer : world_.all_peers()) env.send(peer, Over{});
  }
  void on(Env& env, core::PeerId, const Over&) { env.finish(); }

 private:
  const World& world_;
  Server server_;
  std::uint32_t next_ = 0;
};

}  // namespace

Scheduler round_robin() {
  return make_scheduler<NoOptions>(
      {.name = "round-robin",
       .summary = "deals tasks to peers in turn; knows nothing, survives nothing",
       .serves = true,
       .in_time = {0, "since the slowest peer is dealt as much as the fastest"},
       .equip = equip_with<RoundRobin, NoOptions>,
       .essential = all_peers<NoOptions>});
}

}  // namespace rhizome::agents
