// A worker: executes the tasks that its leader assigns, and succeeds a dead leader if it is the
// first in line.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/air_traffic/queue_death_vote.hpp"
#include "agents/server.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::traffic {

class Worker {
 public:
  using Messages = core::OneOf<Assign, Roster, Steady, Follow>;
  using Timers = core::OneOf<DivideDue>;

  Worker(const Options& options, PeerId queue, Capacity capacity, QueueDeathVote& queue_death_vote)
      : options_(options), queue_(queue), server_(capacity), queue_death_vote_(queue_death_vote) {}

  // Belongs to `leader` from now on, and notes that as a fact.
  void follow(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason);
  // The same, and tells that leader, which has it as a worker from then on.
  void report_to(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason);
  [[nodiscard]] PeerId leader() const { return leader_; }
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] std::uint32_t slots() const { return server_.capacity().slots; }
  // Whether this peer has led in this life, and when it last stopped.
  [[nodiscard]] bool has_led() const { return has_led_; }
  [[nodiscard]] Time stood_down() const { return stood_down_; }
  // Tasks that it holds and has not begun.
  [[nodiscard]] std::size_t waiting() const { return server_.waiting(); }
  // Drops all that it holds.
  void stop(Env& env);

  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const Roster& message);
  void on(Env& env, PeerId from, const Steady& message);
  void on(Env& env, PeerId from, const Follow& message);
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const core::WorkDone& done);

  // Whether its leader does, and has given it nothing to do: fewer signs of life are due.
  [[nodiscard]] bool rests() const { return resting_ && server_.residents().empty(); }
  // A sign of life to the leader, or a search for one at the queue.
  void tick(Env& env);
  void report(Env& env) const;

  // What a successor starts with, once the leader has been silent for long enough: the lowest
  // address first, each next one a heartbeat later.
  struct Inheritance {
    std::uint64_t epoch;
    std::vector<Member> members;
    std::vector<PeerId> edges;
  };
  [[nodiscard]] std::optional<Inheritance> claim(const Env& env) const;

 private:
  [[nodiscard]] bool finished(TaskId task) const;
  // Whether the message is from the leader, and not of an earlier epoch.
  template <class M>
  bool shown_life(const Env& env, PeerId from, const M& sign);
  // The silence of the leader after which it may be dead.
  [[nodiscard]] Duration silence() const {
    return rests() ? options_.slow_timeout() : options_.timeout;
  }

  const Options& options_;
  PeerId queue_;
  Server server_;
  QueueDeathVote& queue_death_vote_;
  std::map<TaskId, PeerId> assigned_by_;
  PeerId leader_ = core::no_peer;
  bool has_led_ = false;
  Time stood_down_{};
  std::uint64_t epoch_ = 0;
  Time last_heard_{};
  bool resting_ = false;  // as the leader last ordered
  std::vector<Member> roster_;
  std::vector<PeerId> edges_;
  std::deque<TaskId> recent_;  // results that a leader may have to be told again
};

// Answers messages to a worker whose sender takes it for a leader: names the leader, or passes them
// on.
class Signpost {
 public:
  using Messages = core::OneOf<WorkerAlive, Linked, MergeAsk, Portion, Done>;

  Signpost(const Options& options, PeerId queue, const Worker& worker)
      : options_(options), queue_(queue), worker_(worker) {}

  void on(Env& env, PeerId from, const WorkerAlive& message);
  void on(Env& env, PeerId from, const Linked& message);
  void on(Env& env, PeerId from, const MergeAsk& message);
  void on(Env& env, PeerId from, const Portion& message);
  void on(Env& env, PeerId from, const Done& message);

 private:
  const Options& options_;
  PeerId queue_;
  const Worker& worker_;
};

}  // namespace rhizome::agents::traffic
