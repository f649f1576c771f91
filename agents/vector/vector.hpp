// Vector scheduling (Peterson, dissertation, sections 3.3, 4 and 5.3 to 5.6): every peer keeps a
// queue, hears the state of its neighbours, and divides its queue among itself and them along a
// vector over the metrics of each. There is no leader. The recovery from failures and the remedies
// against the faults of the original are ours.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/vector/carrier.hpp"
#include "agents/vector/graph_tasks.hpp"
#include "agents/vector/local_tasks.hpp"
#include "agents/vector/messages.hpp"
#include "agents/vector/neighbour_table.hpp"
#include "agents/vector/options.hpp"
#include "agents/vector/planner.hpp"
#include "agents/vector/source_books.hpp"
#include "agents/vector/source_lease.hpp"

namespace rhizome::agents {

// One peer. The source also keeps the books.
class VectorPeer {
 public:
  using Messages = vectors::Messages;
  using Timers = vectors::Timers;
  using Env = vectors::Env;
  using Hears = core::OneOf<Submitted, Drained, locator::Arrived, locator::Ready,
                            locator::Completed, locator::Quiet, files::CargoGone, core::CargoCame>;
  static constexpr std::string_view name = "vector";

  // `locator`: of the same peer, if it has one.
  VectorPeer(core::PeerId self, const vectors::Options& options, const World& world,
             const locator::Locator* locator = nullptr);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const;

  void start(Env& env);
  void on(Env& env, const Submitted& job);
  void on(Env& env, const Drained& drained);
  void on(Env& env, const locator::Arrived& arrived);
  void on(Env& env, const locator::Ready& ready);
  void on(Env& env, const locator::Completed& completed);
  void on(Env& env, const locator::Quiet& quiet);
  void on(Env& env, const files::CargoGone& gone) { carrier_.gone(env, gone); }
  void on(Env& env, const core::CargoCame& came);
  template <core::one_of<Messages> M>
  void on(Env& env, core::PeerId from, const M& message);
  template <core::one_of<Timers> T>
  void on(Env& env, const T& due);
  void on(Env& env, const core::WorkDone& done);

  // Neighbours that may be given tasks now, by what they have reported.
  [[nodiscard]] std::size_t neighbours_seen(core::Time now) const { return seen(now).size(); }

 private:
  // Messages from, or to, the source alone.
  template <class M>
  static constexpr bool from_source = core::one_of<M, core::OneOf<vectors::Heard, Over>>;
  template <class M>
  static constexpr bool to_source =
      core::one_of<M, core::OneOf<vectors::Result, vectors::Report, vectors::Needs>>;

  void handle(Env& env, core::PeerId from, const vectors::Info& message);
  void handle(Env& env, core::PeerId from, const vectors::Request& message);
  void handle(Env& env, core::PeerId from, const vectors::Transfer& message);
  void handle(Env& env, core::PeerId from, const vectors::Taken& message);
  void handle(Env& env, core::PeerId from, const vectors::Result& message);
  void handle(Env& env, core::PeerId from, const vectors::Report& message);
  void handle(Env& env, core::PeerId from, const vectors::Heard& message);
  void handle(Env& env, core::PeerId from, const Over& message);
  void handle(Env& env, core::PeerId from, const vectors::LevelInfo& message);
  void handle(Env& env, core::PeerId from, const vectors::Needs& message);
  void handle(Env& env, const vectors::TickDue& due);
  void handle(Env& env, const vectors::BenchmarkDue& due);
  void handle(Env& env, const vectors::RepeatDue& due);
  void handle(Env& env, const vectors::ReportDue& due);
  void handle(Env& env, const vectors::LeaseDue& due);
  void handle(Env& env, const vectors::CloseDue& due);
  void handle(Env& env, const DivideDue& due) { local_tasks_.on(env, due); }

  [[nodiscard]] bool is_source() const { return self_ == world_.source; }
  [[nodiscard]] vectors::PeerMetrics vitals(core::Time now) const;
  // Neighbours that have reported lately; or ever, without recovery.
  [[nodiscard]] std::vector<vectors::NeighbourState> seen(core::Time now) const;
  // How long such work takes on this peer.
  [[nodiscard]] core::Duration here(core::Duration work) const;
  void start_tasks(Env& env);
  void task_done(Env& env, const Product& product);
  void measure(Env& env);
  void tell(Env& env);
  void redistribute(Env& env);
  void send(Env& env, core::PeerId to, std::uint32_t tasks);
  void ask(Env& env, core::Time due);
  void pass_on(Env& env, const vectors::Request& request, core::PeerId from);
  [[nodiscard]] bool lacks(TaskId task) const;
  void keep(const std::vector<Task>& tasks);
  void add(Env& env, const std::vector<Task>& tasks);
  void complete(Env& env, TaskId task, core::PeerId executor);
  [[nodiscard]] std::size_t waiting() const { return local_tasks_.waiting() + graphs_.waiting(); }
  // Calls f with each task that is here or was since the last report.
  template <class F>
  void for_held(Env& env, F f);
  void end(Env& env);
  void rest(Env& env);
  void close(Env& env);

  const core::PeerId self_;
  const vectors::Options& options_;
  const World& world_;
  vectors::NeighbourTable neighbours_;
  vectors::Planner planner_;
  vectors::LocalTasks local_tasks_;
  vectors::Carrier carrier_;
  vectors::SourceLease source_lease_;
  vectors::SourceBooks books_;  // used at the source
  vectors::GraphTasks graphs_;
  std::uint64_t ticks_ = 0;
  bool arrived_ = false;         // whether work came since the last tick
  std::vector<Product> ended_;   // tasks whose end shows at the next tick
  core::Duration benchmark_{0};  // the last measurement
  std::optional<core::WorkId> measuring_{};
  std::optional<core::WorkId> planning_{};  // what a redistribution costs
  bool measured_ = false;
  std::uint64_t requests_ = 0;  // of this life
  core::Time tick_due_{};       // the next tick
  core::Time asked_{};
  std::map<core::PeerId, std::uint64_t> requests_seen_;  // the latest of each origin
  // Refused tasks of the latest transfer, until their files are announced.
  std::vector<std::uint64_t> refused_;
  // Tasks passed on since the last report. They are reported, so that a task that moves faster than
  // peers report is not missed.
  std::set<TaskId> passed_on_;
  std::set<TaskId> told_of_;  // tasks of passed_on_ in a report without an answer so far
  bool over_ = false;
  core::TimerId ticking_{};
  core::TimerId measuring_due_{};
  core::TimerId leasing_{};
  core::TimerId closing_{};
};

}  // namespace rhizome::agents
