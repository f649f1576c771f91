// Air Traffic Control as Peterson describes it (dissertation, sections 2.3, 3.1, 3.2 and 5.1): one
// job queue, groups of workers with a leader each, and leaders that fit their groups to the jobs.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "agents/air_traffic/layout.hpp"
#include "agents/air_traffic/leader.hpp"
#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/air_traffic/queue.hpp"
#include "agents/air_traffic/queue_death_vote.hpp"
#include "agents/air_traffic/worker.hpp"
#include "agents/credible.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::traffic {

// Whether a message can be true in this world, beyond the types of its fields: leaders and members
// of groups are peers, members have the slots that the world gives them, and indexes and sizes fit
// a job. A message that cannot be true is not handled.
template <class M>
[[nodiscard]] bool plausible(const World& world, PeerId from, const M& message) {
  if (!credible(world, from, message)) return false;
  const auto is_member = [&world](const Member& member) {
    return member.id != core::no_peer && member.slots == world.capacities[member.id.value].slots;
  };
  if constexpr (core::one_of<M, core::OneOf<Join, WorkerAlive, MergeGrant>>)
    if (!is_member({from, message.slots})) return false;
  if constexpr (requires { message.members; })
    if (!std::all_of(message.members.begin(), message.members.end(), is_member)) return false;
  if constexpr (requires { message.edges; })
    return std::find(message.edges.begin(), message.edges.end(), core::no_peer) ==
           message.edges.end();
  if constexpr (requires { message.leader; }) return message.leader != core::no_peer;
  if constexpr (std::is_same_v<M, Done>)
    return std::all_of(message.results.begin(), message.results.end(), [&](const Result& result) {
      return result.executor != core::no_peer && result.task.given.bytes <= world.profile.heaviest;
    });
  if constexpr (std::is_same_v<M, Given>)
    return message.total > 0 && message.total <= world.profile.largest_job;
  if constexpr (std::is_same_v<M, Portion>)
    return !message.tasks.empty() && message.total <= world.profile.largest_job &&
           message.index < message.total && message.tasks.size() <= message.total - message.index;
  return true;
}

}  // namespace rhizome::agents::traffic

namespace rhizome::agents {

// One peer in its present role: the queue, a leader, or a worker. Only the queue ends a run that it
// serves; the other peers give the run up once no peer hears the queue any more.
class AirTraffic {
 public:
  using Messages = traffic::Messages;
  using Env = traffic::Env;
  using Hears = core::OneOf<Submitted, Drained>;
  static constexpr std::string_view name = "air-traffic";

  // `place`: the place of this peer in its first life.
  AirTraffic(core::PeerId self, const traffic::Options& options, const World& world,
             traffic::GroupLayout place);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const {
    return traffic::plausible(world_, from, message);
  }
  void start(Env& env);
  template <core::one_of<Hears> S>
  void on(Env& env, const S& signal);
  template <core::one_of<traffic::Timers> T>
  void on(Env& env, const T& due);
  void on(Env& env, const core::WorkDone& done);
  template <core::one_of<Messages> M>
  void on(Env& env, core::PeerId from, const M& message);

  [[nodiscard]] const traffic::Leader* leader() const { return leader_ ? &*leader_ : nullptr; }
  [[nodiscard]] core::PeerId follows() const { return worker_.leader(); }

 private:
  // Messages that end a run; all others go to the present role of this peer.
  using Ends = core::OneOf<traffic::Terminate>;
  // Messages that may make a leader of a peer that does not lead.
  using Calls = core::OneOf<traffic::Refer, traffic::Lead>;

  void told_of_the_end(Env& env, core::PeerId from, const traffic::Terminate& message);
  template <class M>
  void to_living(Env& env, core::PeerId from, const M& message);
  template <class M>
  void to_role(Env& env, core::PeerId from, const M& message);
  void called(Env& env, core::PeerId from, const traffic::Refer& message);
  void called(Env& env, core::PeerId from, const traffic::Lead& message);

  void tick(Env& env);
  void arm(Env& env, core::Duration wait);
  void doze(Env& env);
  void rouse(Env& env);
  [[nodiscard]] bool rests() const { return !queue_ && !leader_ && worker_.rests(); }
  void tick_role(Env& env);

  void become_leader(Env& env, traffic::LeaderAppointment command);
  void succeed(Env& env, const traffic::Worker::Inheritance& inheritance);
  void change_roles(Env& env);
  void tell_waiting(Env& env) const;
  void doubt(Env& env);
  void fail(Env& env, std::string_view reason);
  void come_back(Env& env);
  void end(Env& env, core::PeerId told_by);
  [[nodiscard]] std::vector<core::PeerId> to_be_told() const;

  const traffic::Options options_;
  const World& world_;
  traffic::GroupLayout place_;  // empty once the peer has taken it
  std::optional<traffic::Queue> queue_;
  std::optional<traffic::Leader> leader_;
  traffic::QueueDeathVote queue_death_vote_;
  traffic::Worker worker_;
  traffic::Signpost signpost_;
  std::uint64_t last_ticket_ = 0;
  core::TimerId tick_;
  bool slow_ = false;  // whether tick_ is armed as a resting worker arms it
  bool failed_ = false;
  bool ended_ = false;
};

}  // namespace rhizome::agents
