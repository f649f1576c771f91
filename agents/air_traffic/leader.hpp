// A leader: takes a job that fits its group from the queue, hands the tasks to its workers, and
// changes the group to fit the job.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {
class AirTraffic;
}

namespace rhizome::agents::traffic {

using Env = core::Env<AirTraffic>;
using core::Time;

// A neighbour has not answered the wish to merge.
struct MergeDue {
  PeerId asked;
  std::uint64_t ticket;
};

// What a leader starts with.
struct Command {
  std::uint64_t epoch = 0;
  std::vector<Member> members;
  std::vector<PeerId> edges;
};

class Leader {
 public:
  Leader(const Options& options, PeerId queue, std::uint64_t first_ticket, std::uint32_t own_slots);

  void begin(Env& env, const Command& command);
  void tick(Env& env);
  void merge_due(Env& env, const MergeDue& due);
  // The queue's address has changed.
  void serve(Env& env, PeerId queue);

  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] std::uint64_t last_ticket() const { return ticket_; }
  [[nodiscard]] PeerId absorbed_by() const { return absorbed_by_; }
  // Without any worker for too long: a worker again, of whichever group the queue knows.
  [[nodiscard]] bool disbanded() const { return disbanded_; }
  [[nodiscard]] bool lost_queue() const { return lost_queue_; }
  void cancel_timers(Env& env);
  [[nodiscard]] std::vector<PeerId> acquaintances() const;
  [[nodiscard]] const std::set<PeerId>& edges() const { return edges_; }

  void on(Env& env, PeerId from, const Portion& message);
  void on(Env& env, PeerId from, const Done& message);
  void on(Env& env, PeerId from, const Voided& message);
  void on(Env& env, PeerId from, const Recall& message);
  void on(Env& env, PeerId from, const QueueAlive& message);
  void on(Env& env, PeerId from, const WorkerAlive& message);
  void on(Env& env, PeerId from, const Join& message);
  void on(Env& env, PeerId from, const MergeAsk& message);
  void on(Env& env, PeerId from, const MergeGrant& message);
  void on(Env& env, PeerId from, const MergeRefuse& message);
  void on(Env& env, PeerId from, const MergeCommit& message);
  void on(Env& env, PeerId from, const Linked& message);
  void on(Env& env, PeerId from, const Unlinked& message);
  void on(Env& env, PeerId from, const Neighbour& message);

 private:
  enum class Phase : std::uint8_t { asking, merging, running };
  struct WorkerState {
    std::uint32_t slots = 1;
    Time last_heard{};
    std::map<TaskId, int> running{};  // and how often it denied to hold them
  };

  // The job, in leader.cpp.
  void take(Env& env);
  void start_job(Env& env);
  void assign(Env& env);
  void finish_if_done(Env& env);
  void check_workers(Env& env);
  void check_portions(Env& env);
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] std::size_t unfinished() const;
  [[nodiscard]] std::vector<Member> members() const;

  // The group, in leader_groups.cpp.
  void split(Env& env, std::uint32_t keep);
  void seek_workers(Env& env);
  void seek_more_workers(Env& env);
  void ask_to_merge(Env& env);
  void welcome(Env& env, const Member& member);
  void end_lease(Env& env);
  void link(Env& env, PeerId leader);
  void unlink(Env& env, PeerId leader);
  void check_edges(Env& env);
  void disband_if_alone(Env& env);
  void hand_over_edges(Env& env, PeerId to);

  const Options& options_;
  PeerId queue_;
  std::uint32_t own_slots_;
  std::uint64_t epoch_ = 0;
  std::uint64_t ticket_;
  Phase phase_ = Phase::asking;
  std::map<PeerId, WorkerState> workers_;
  std::uint32_t layout_size_ = 0;

  // The job of the present ticket.
  std::uint32_t total_ = 0;
  std::map<std::uint32_t, Task> portions_;
  std::deque<Task> pending_;
  std::map<TaskId, PeerId> done_;  // who executed it

  std::set<PeerId> edges_;
  std::map<PeerId, Time> edge_heard_;
  PeerId partner_ = core::nobody;  // once split off, first to merge with
  std::deque<PeerId> merge_candidates_;
  PeerId merge_asked_ = core::nobody;
  core::TimerId merge_timer_;
  PeerId lent_to_ = core::nobody;
  Time lent_since_{};
  PeerId absorbed_by_ = core::nobody;
  Time queue_heard_{};
  Time last_worker_{};  // when there was one
  bool disbanded_ = false;
  bool lost_queue_ = false;
  bool bereaved_ = false;      // and the queue has not answered
  bool from_nowhere_ = false;  // without any group before it
};

}  // namespace rhizome::agents::traffic
