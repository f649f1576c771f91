// A leader: takes a job that fits its group from the queue, hands the tasks to its workers, and
// changes the group to fit the job. A worker is given tasks once it has said that it follows.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "agents/air_traffic/edges.hpp"
#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/backoff.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::traffic {

// What the signs of life of a leader say, which calls look() at every heartbeat, and when its group
// may rest: once nothing has happened in the group for so long that a loss in the last change has
// been noticed and repaired by a repetition.
class Calm {
 public:
  explicit Calm(const Options& options) : options_(options) {}

  // `roster`: what the workers have to know now; `watched`: whether there is anything else to
  // watch.
  void look(Time now, const Roster& roster, bool watched) {
    const bool news = roster.epoch != known_.epoch || roster.members != known_.members ||
                      roster.edges != known_.edges;
    if (news) told_ = now;
    if (!news && !watched) return;
    stir(now);
    known_ = roster;
  }
  // Something happens that wakes the workers, and may be over before the next look().
  void stir(Time now) {
    if (settled(now)) woken_ = now;
    stirred_ = now;
  }

  // The workers have been told the whole roster four times, and need not be told again.
  [[nodiscard]] bool told(Time now) const {
    return options_.rest > 1 && now - told_ > options_.timeout;
  }
  // The workers may rest, and are told so.
  [[nodiscard]] bool settled(Time now) const { return still_for(now, 2); }
  // Whether it is time for a sign of life. The workers are told four times that they may rest
  // before the signs become fewer, so that no worker that has missed one takes the leader for dead.
  [[nodiscard]] bool shows(Time now) {
    if (still_for(now, 3) && ++skipped_ < options_.rest) return false;
    skipped_ = 0;
    return true;
  }
  // Whether a worker that was last heard at `heard` is dead. Workers that rested take a while to
  // wake up.
  [[nodiscard]] bool dead(Time now, Time heard) const {
    if (settled(now)) return now - heard > options_.slow_timeout();
    const bool waking = woken_ && now - *woken_ <= 2 * options_.timeout;
    return !waking && now - heard > options_.timeout;
  }

 private:
  [[nodiscard]] bool still_for(Time now, int timeouts) const {
    return options_.rest > 1 && now - stirred_ > timeouts * options_.timeout;
  }

  const Options& options_;
  Roster known_{};
  Time told_{};                // when the roster last changed
  Time stirred_{};             // when something last happened
  std::optional<Time> woken_;  // when something happened after rest
  std::uint32_t skipped_ = 0;  // signs of life left out since the last one
};

// A leader's books of one job: the tasks that have come, those that wait for a worker, and
// completed ones.
struct LeaderJob {
  std::uint64_t ticket = 0;  // 0: no job yet
  std::uint32_t total = 0;
  core::Time asked_for_missing{};  // when missing tasks were last asked for, or when the latest
                                   // task came
  std::uint32_t asked = 0;         // how often missing tasks were asked for since then
  std::map<std::uint32_t, Task> portions{};
  std::deque<Task> pending{};
  std::map<TaskId, Result> done{};

  // False if the message contradicts earlier ones.
  bool accept(const Portion& message) {
    if (message.total != total) return false;
    for (std::size_t i = 0; i < message.tasks.size(); ++i)
      if (portions.emplace(message.index + static_cast<std::uint32_t>(i), message.tasks[i]).second)
        pending.push_back(message.tasks[i]);
    return true;
  }
  // The task with that id; nullptr when it is not of this job.
  [[nodiscard]] const Task* find(TaskId id) const {
    for (const auto& [index, task] : portions)
      if (task.id == id) return &task;
    return nullptr;
  }
  // Makes the task wait for a worker again, unless it is done.
  bool give_back(TaskId id) {
    const Task* task = find(id);
    if (task == nullptr || done.contains(id)) return false;
    pending.push_back(*task);
    return true;
  }
  [[nodiscard]] std::vector<Result> results() const {
    std::vector<Result> all;
    for (const auto& [task, result] : done) all.push_back(result);
    return all;
  }
  // Tasks without a result here, whether the task itself has come or not.
  [[nodiscard]] std::size_t unfinished() const { return total - done.size(); }
  [[nodiscard]] std::vector<std::uint32_t> missing() const {
    std::vector<std::uint32_t> indexes;
    for (std::uint32_t i = 0; i < total; ++i)
      if (!portions.contains(i)) indexes.push_back(i);
    return indexes;
  }
};

// What a leader starts with.
struct LeaderAppointment {
  std::uint64_t epoch = 0;
  std::uint64_t last_ticket = 0;  // when this peer led before
  std::vector<Member> members{};
  std::vector<PeerId> edges{};
  bool present = false;   // the members follow already, as at the start of a run
  bool bereaved = false;  // it succeeds a dead leader, or had none
};

class Leader {
 public:
  using Messages =
      core::OneOf<Portion, Given, Done, Voided, Withdrawn, Recall, WorkerAlive, MergeAsk,
                  MergeGrant, MergeRefuse, MergeCommit, Linked, Unlinked, Neighbour>;
  using Timers = core::OneOf<MergeDue>;

  Leader(const Options& options, const World& world, std::uint32_t own_slots);

  void begin(Env& env, const LeaderAppointment& command);
  // `silence`: how long the queue has not been heard.
  void tick(Env& env, Duration silence);

  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] std::uint64_t last_ticket() const { return ticket_; }
  [[nodiscard]] PeerId absorbed_by() const { return absorbed_by_; }
  // Whether this leader had no worker for too long; it becomes a worker again, of any group that
  // the queue knows.
  [[nodiscard]] bool disbanded() const { return disbanded_; }
  // If this is the only peer left, it executes the tasks itself.
  [[nodiscard]] bool works_itself(PeerId self) const { return workers_.contains(self); }
  void cancel_timers(Env& env);
  // Tasks of its job that no worker has.
  [[nodiscard]] std::size_t waiting() const { return busy() ? batch_.pending.size() : 0; }
  [[nodiscard]] std::vector<PeerId> acquaintances() const;
  [[nodiscard]] const Edges& edges() const { return edges_; }

  void on(Env& env, const MergeDue& due);
  void on(Env& env, PeerId from, const Portion& message);
  void on(Env& env, PeerId from, const Done& message);
  void on(Env& env, PeerId from, const Given& message);
  void on(Env& env, PeerId from, const Voided& message);
  void on(Env& env, PeerId from, const Withdrawn& message);
  void on(Env& env, PeerId from, const Recall& message);
  void on(Env& env, PeerId from, const WorkerAlive& message);
  void on(Env& env, PeerId from, const MergeAsk& message);
  void on(Env& env, PeerId from, const MergeGrant& message);
  void on(Env& env, PeerId from, const MergeRefuse& message);
  void on(Env& env, PeerId from, const MergeCommit& message);
  void on(Env& env, PeerId from, const Linked& message) { edges_.on(env, from, message); }
  void on(Env& env, PeerId from, const Unlinked& message);
  void on(Env& env, PeerId from, const Neighbour& message) { edges_.on(env, from, message); }

 private:
  // Asking the queue for a job; withdrawing that wish for a suitor; lent to the suitor; looking for
  // workers for a job; running it.
  enum class Phase : std::uint8_t { asking, withdrawing, lent, merging, running };
  struct Assignment {
    Time since;
    std::optional<Time> denied{};  // when the worker first said that it does not hold it
  };
  struct WorkerState {
    std::uint32_t slots = 1;
    Time last_heard{};
    bool present = false;  // has said that it follows
    std::map<TaskId, Assignment> running{};
  };
  // Where a worker was sent.
  struct Move {
    PeerId leader;
    std::uint64_t epoch;
    std::vector<Member> members;  // when it was told to lead
    Time told;
  };

  // The job, in leader.cpp.
  [[nodiscard]] bool busy() const { return phase_ == Phase::merging || phase_ == Phase::running; }
  void take(Env& env);
  void ask(Env& env);
  bool accept(Env& env, const Portion& message);
  void start_job(Env& env);
  void assign(Env& env);
  void hand(Env& env, PeerId to, const std::vector<Task>& tasks, core::Cause cause);
  void relay(Env& env, const Done& message);
  bool remember(TaskId task);
  void finish_if_done(Env& env);
  void check_workers(Env& env);
  void check_portions(Env& env);
  void ask_for(Env& env, const std::vector<std::uint32_t>& indexes) const;
  void check_denied(Env& env, PeerId from, WorkerState& worker, const WorkerAlive& message);

  // The members of the group, in leader_workers.cpp.
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] std::vector<Member> members(Env& env) const;
  void adopt(Env& env, PeerId from, const WorkerAlive& message);
  void send_away(Env& env, PeerId worker, const Move& move);
  void show_life(Env& env, Duration silence);
  [[nodiscard]] bool watched(PeerId self, Duration silence) const;
  void mind_solitude(Env& env);
  void disband(Env& env);

  // Split and merge, in leader_groups.cpp.
  void split(Env& env, std::uint32_t keep);
  void seek_workers(Env& env);
  void seek_more_workers(Env& env);
  void ask_to_merge(Env& env);
  void grant(Env& env);
  void end_lease(Env& env);
  [[nodiscard]] Duration merge_wait() const;

  const Options& options_;
  const World& world_;
  const PeerId queue_;
  std::uint32_t own_slots_;
  Backoff backoff_;
  std::uint64_t epoch_ = 0;
  std::uint64_t first_epoch_ = 0;  // when it began to lead
  Time began_{};
  Phase phase_ = Phase::asking;

  std::uint64_t ticket_ = 0;   // of the present question or job
  std::deque<TaskId> recent_;  // tasks whose results have come
  LeaderJob batch_;            // the present job or, while asking, the last one

  std::map<PeerId, WorkerState> workers_;
  std::map<PeerId, Move> moves_;
  Calm calm_;
  std::uint32_t layout_size_ = 0;
  Time last_worker_{};  // when there was one
  bool disbanded_ = false;

  Edges edges_;
  PeerId partner_ = core::no_peer;  // once split off, first to merge with
  std::deque<PeerId> merge_candidates_;
  PeerId merge_asked_ = core::no_peer;
  core::TimerId merge_timer_;
  PeerId suitor_ = core::no_peer;  // while withdrawing or lent
  Time lent_since_{};
  PeerId absorbed_by_ = core::no_peer;
};

}  // namespace rhizome::agents::traffic
