// Air Traffic Control as Peterson describes it (dissertation, sections 2.3, 3.1, 3.2 and 5.1): one
// job queue, groups of workers with a leader each, and leaders that fit their groups to the jobs.
#pragma once

#include <optional>
#include <vector>

#include "agents/air_traffic/inquest.hpp"
#include "agents/air_traffic/layout.hpp"
#include "agents/air_traffic/leader.hpp"
#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/air_traffic/plausible.hpp"
#include "agents/air_traffic/queue.hpp"
#include "agents/air_traffic/worker.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents {

// One peer in its present role: the queue, a leader, or a worker. Only the queue ends a run that it
// serves; the others, once nobody hears of it any more.
class AirTraffic {
 public:
  using Messages = traffic::Messages;
  using Env = traffic::Env;
  using Hears = core::OneOf<Submitted, Drained>;
  static constexpr std::string_view name = "air-traffic";

  AirTraffic(core::PeerId self, const traffic::Options& options, const World& world);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const {
    return traffic::plausible(world_, from, message);
  }
  void start(Env& env);
  void on(Env& env, const Submitted& job);
  void on(Env& env, const Drained& drained);
  void on(Env& env, const traffic::TickDue& due);
  void on(Env& env, const traffic::MergeDue& due);
  void on(Env& env, const core::WorkDone& done);
  void on(Env& env, core::PeerId from, const traffic::Doubt& message);
  void on(Env& env, core::PeerId from, const traffic::Terminate& message);
  // Every other message goes to the role that understands it.
  template <class M>
  void on(Env& env, core::PeerId from, const M& message);

  [[nodiscard]] const traffic::Leader* leader() const { return leader_ ? &*leader_ : nullptr; }
  [[nodiscard]] core::PeerId follows() const { return worker_.leader(); }

 private:
  // By these a peer that does not lead becomes a leader.
  using Calls = core::OneOf<traffic::Refer, traffic::Lead>;

  template <class M>
  void to_role(Env& env, core::PeerId from, const M& message);
  void called(Env& env, core::PeerId from, const traffic::Refer& message);
  void called(Env& env, core::PeerId from, const traffic::Lead& message);
  template <class M>
  void hear_of_queue(Env& env, core::PeerId from, const M& message);

  void become_leader(Env& env, traffic::Command command);
  void succeed(Env& env, const traffic::Worker::Inheritance& inheritance);
  void change_roles(Env& env);
  void doubt(Env& env);
  void fail(Env& env, std::string_view reason);
  void come_back(Env& env);
  void end(Env& env, core::PeerId told_by);
  [[nodiscard]] std::vector<core::PeerId> to_be_told() const;

  const traffic::Options options_;
  const World& world_;
  std::optional<traffic::Queue> queue_;
  std::optional<traffic::Leader> leader_;
  traffic::Worker worker_;
  std::uint64_t last_ticket_ = 0;
  core::TimerId tick_;
  core::Time queue_heard_{};  // by this peer or by whom it follows
  traffic::Inquest inquest_;
  bool failed_ = false;
  bool ended_ = false;
};

[[nodiscard]] Scheduler air_traffic();

}  // namespace rhizome::agents
