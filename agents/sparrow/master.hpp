// The scheduling side of a Sparrow peer: the tasks that arrived here, and which peers run them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/next_hop_selector.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/sparrow/placeholders.hpp"
#include "agents/sparrow/result_reporter.hpp"
#include "agents/sparrow/sampler.hpp"
#include "agents/sparrow/walks.hpp"
#include "agents/sparrow/worker.hpp"
#include "agents/sparrow/worker_groups.hpp"
#include "core/peer/env.hpp"
#include "core/peer/flat.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

class Master {
 public:
  using Messages = core::OneOf<Deposited, Ready, Completed, Load, Unknown, Enlisted, Declined>;
  using Timers = core::OneOf<ProbeDue, AuditDue, SampleDue, GroupDue>;
  using Signals = core::OneOf<overlay::Liveness, Submitted>;

  // The parts that a master works with.
  struct Parts {
    Worker& worker;
    NextHopSelector& next_hop_selector;
    ResultReporter& reporter;
    const Walks& walks;
    overlay::FailureDetector& detector;
  };

  Master(PeerId self, const Options& options, const Parts& parts)
      : options_(options),
        parts_(parts),
        placeholders_(self, options, parts.detector),
        sampler_(parts.walks, parts.detector),
        worker_groups_(options, parts.worker.capacity(), parts.next_hop_selector) {}

  [[nodiscard]] bool knows(TaskId task) const { return tasks_.contains(task); }
  // Reports a task once more if it is done; returns whether it is done.
  bool tell_if_done(Env& env, TaskId task);
  // Tasks without an executor.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  // Tasks of one job have arrived.
  void submit(Env& env, const std::vector<Task>& tasks);

  void on(Env& env, PeerId from, const Deposited& message);
  void on(Env& env, PeerId from, const Ready& message);
  void on(Env& env, PeerId from, const Completed& message);
  void on(Env& env, PeerId from, const Load& message);
  void on(Env& env, PeerId from, const Unknown& message);
  void on(Env& env, PeerId from, const Enlisted& message);
  void on(Env& env, PeerId from, const Declined& message) { worker_groups_.on(env, from, message); }
  void on(Env& env, const ProbeDue& due);
  void on(Env& env, const AuditDue& due);
  void on(Env& env, const SampleDue& due);
  void on(Env& env, const GroupDue& due);
  void on(Env& env, const Submitted& job) { submit(env, job.tasks); }
  // An executor has died: its tasks of this master are placed again.
  void on(Env& env, const overlay::Liveness& news);
  // A task belongs to another master now; it is kept if it is bound.
  void disown(Env& env, TaskId task);
  void stop(Env& env);

 private:
  // A task until it is done.
  struct PendingTask {
    Task task;
    std::uint32_t wanted = 1;            // placeholders
    std::uint32_t deposited = 0;         // how many of them were reported
    std::uint32_t probes = 0;            // sent so far
    std::uint32_t searches_in_vain = 0;  // since a peer answered
    bool settled = false;  // counted among those that wait with all their placeholders
    bool refused = false;  // by a peer that was given it without being asked before
    bool alone = false;    // no peer of its job's group is large enough for it
    PeerId executor = core::no_peer;
    std::optional<Spot> spot{};    // the placeholder that it was bound through
    std::vector<PeerId> former{};  // former executors, which may have done it all the same
    core::Time bound_at{};
    core::Time asked_at{};    // when its executor was asked about it, or when it was bound
    std::uint32_t asked = 0;  // how often, since it was bound
    core::TimerId probing{};
  };

  // The life of an executor, if the executor has told it.
  using Life = std::optional<std::uint32_t>;

  // Whether a search is the first, or follows one without an answer.
  enum class Search : std::uint8_t { first, again };

  void bury(Env& env, PeerId executor);
  void search(Env& env, const std::vector<TaskId>& tasks);
  void search_late(Env& env, const std::vector<TaskId>& tasks);
  void search_early(Env& env, const std::vector<TaskId>& tasks, Search search);
  std::vector<TaskId> assign_self(Env& env, const std::vector<TaskId>& tasks);
  void probe_for_job(Env& env, const std::vector<TaskId>& tasks);
  void probe(Env& env, PendingTask& known, const std::vector<PeerId>& peers);
  [[nodiscard]] core::Duration wait_for_answer(const PendingTask& known) const;
  void send_probe(Env& env, PeerId to, PendingTask& known) const;
  [[nodiscard]] std::vector<PeerId> directions_or_self(Env& env, std::size_t count,
                                                       Search search = Search::first);
  void place(Env& env, const Sampler::Choice& choice);
  // Whether a group runs the task. Without leaders no task is looked up.
  [[nodiscard]] bool led(TaskId task) const {
    if (options_.leaders == Leaders::none) return false;
    const PendingTask& known = *tasks_.at(task);
    return !known.alone && worker_groups_.leads(known.task);
  }
  void order(Env& env);
  void search_alone(Env& env, const std::vector<TaskId>& tasks);
  void place(Env& env, PendingTask& known, PeerId executor, Life life);

  void bind(Env& env, PendingTask& known, PeerId executor, Life life);
  void unbind(Env& env, PendingTask& known, std::string_view reason);
  using Tasks = core::FlatMap<TaskId, std::unique_ptr<PendingTask>>;
  void drop(Env& env, Tasks::iterator found);
  void assign(Env& env, PendingTask& known, Spot spot);
  void answer_again(Env& env, Spot spot, const Placeholders::Answer& before);
  void cancel_spare(Env& env, TaskId task);
  [[nodiscard]] std::optional<TaskId> choose(Spot spot, TaskId asked) const;
  [[nodiscard]] bool covered(const PendingTask& known) const;
  void recount(PendingTask& known);
  void audit_soon(Env& env);
  void audit(Env& env, PeerId executor);
  void learn(Env& env, const PendingTask& known);
  [[nodiscard]] core::Duration patience() const;
  [[nodiscard]] bool is_overdue(const PendingTask& known, core::Time now) const;
  template <class IsOut>
  [[nodiscard]] std::map<PeerId, Audit> audits_of(IsOut&& is_out, core::Time since) const;

  const Options& options_;
  const Parts parts_;
  Tasks tasks_;
  core::FlatMap<TaskId, PeerId> done_;  // done and reported tasks, and their executors
  std::deque<TaskId> waiting_;
  core::FlatMap<std::uint32_t, std::size_t> settled_;  // waiting tasks with all their placeholders,
                                                       // by group
  Placeholders placeholders_;
  Sampler sampler_;
  WorkerGroups worker_groups_;
  core::Duration longest_{0};  // from binding a task to its result
  core::TimerId auditing_{};
  bool audits_ = false;
};

}  // namespace rhizome::agents::sparrow
