// The job queue: waiting jobs, the leader of each job, and completed tasks. First come first
// served, with the best fit among the first few.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/backoff.hpp"
#include "agents/scheduler.hpp"
#include "agents/task_set.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::traffic {

class Queue {
 public:
  using Messages = core::OneOf<Take, Missing, Withdraw, Return, Done, LeaderAlive, Bereaved, Join>;
  using Signals = core::OneOf<Submitted>;

  Queue(const Options& options, const World& world)
      : options_(options), world_(world), backoff_(options.round_trip()) {}

  void tick(Env& env);
  // No peer has been heard for so long that none will be.
  [[nodiscard]] bool deserted(const Env& env) const;
  [[nodiscard]] std::vector<PeerId> leaders() const;
  // Tasks that no leader has.
  [[nodiscard]] std::uint32_t waiting() const { return tasks_; }

  void on(Env& env, const Submitted& job);
  void on(Env& env, PeerId from, const Take& message);
  void on(Env& env, PeerId from, const Missing& message);
  void on(Env& env, PeerId from, const Withdraw& message);
  void on(Env& env, PeerId from, const Return& message);
  void on(Env& env, PeerId from, const Done& message);
  void on(Env& env, PeerId from, const LeaderAlive& message);
  void on(Env& env, PeerId from, const Bereaved& message);
  void on(Env& env, PeerId from, const Join& message);

 private:
  struct Waiting {
    std::uint32_t job;
    std::vector<Task> tasks;  // those not done when it was queued
  };
  struct LeaderState {
    std::uint32_t size = 0;
    Time last_heard{};
    std::uint64_t oldest = 0;   // ticket that is still of use
    std::uint64_t asked = 0;    // the ticket it waits with; 0: it does not
    std::uint64_t ticket = 0;   // of the job it has; 0: none
    std::uint32_t recalls = 0;  // of results of that job
    std::uint32_t repeats = 0;  // times the notice to it was sent again
    Time sent{};                // when it was sent that job, or a word about it, most recently
    Waiting job{};

    // Whether it lends its group, or has lent it and follows another leader by now.
    [[nodiscard]] bool withdrawn() const { return asked == 0 && ticket == 0; }
  };
  void heard(Env& env, PeerId from);
  // The state of a known leader; nullptr for other peers.
  LeaderState* known(PeerId from);
  LeaderState& admit(Env& env, PeerId from);
  // False while results of the leader's former job may still come.
  bool settle(Env& env, PeerId from, LeaderState& leader);
  void serve(Env& env);
  void give(Env& env, PeerId to, LeaderState& leader);
  [[nodiscard]] std::size_t best_fit(std::uint32_t size) const;
  void send_tasks(Env& env, PeerId to, const LeaderState& leader);
  void repeat(Env& env, PeerId to, LeaderState& leader);
  void requeue(Env& env, LeaderState& leader, PeerId from, std::string_view reason);
  void complete(Env& env, const Result& result);
  void call_all(Env& env) const;
  void close_ring(Env& env, PeerId leader) const;
  [[nodiscard]] std::vector<TaskId> undone(const Waiting& job) const;

  const Options& options_;
  const World& world_;
  const Backoff backoff_;
  std::deque<Waiting> waiting_;
  std::map<PeerId, LeaderState> leaders_;
  std::deque<PeerId> askers_;  // in the order in which they asked
  TaskSet known_tasks_;
  Time last_heard_{};        // from any peer
  bool mends_ = false;       // the graph of leaders, which deaths may have torn
  std::uint32_t tasks_ = 0;  // of the jobs that wait
};

}  // namespace rhizome::agents::traffic
