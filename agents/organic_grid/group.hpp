// A group: the workers that a node of the tree leads, in the manner of Air Traffic Control. They
// are leaves below it, hold no agent, and are handed their tasks one by one.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/options.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::grid {

// The leader's side of a group: its workers, and the tasks that each of them holds.
class Group {
 public:
  // A task that a worker holds or should hold, and the tree that it is of.
  struct HeldTask {
    Task task;
    PeerId root;
    Time since{};
  };
  // What a worker held that is gone.
  struct Lost {
    PeerId worker;
    std::vector<HeldTask> tasks;
    std::string_view reason;
  };

  explicit Group(const Options& options) : options_(options) {}

  [[nodiscard]] bool room() const { return workers_.size() < options_.group; }
  [[nodiscard]] bool empty() const { return workers_.empty(); }
  [[nodiscard]] bool idle() const;
  // Tasks that the workers can run at a time.
  [[nodiscard]] std::uint32_t hands() const;
  [[nodiscard]] std::vector<PeerId> members() const;

  // Invites a peer, which is a worker once it has answered. It had begun stays up to `epoch`.
  void invite(Env& env, PeerId worker, std::uint64_t epoch);
  // Whether a worker or an invited peer sent this request, after stays up to `epoch`, before it
  // joined. A peer that asks after it joined has forgotten this group.
  [[nodiscard]] bool asks_late(Env& env, PeerId from, std::uint64_t epoch);
  // A worker for this task: one with a free slot first, then one that may hold a task ahead.
  [[nodiscard]] std::optional<PeerId> place_for(const Task& task) const;
  void assign(Env& env, PeerId worker, const Task& task, PeerId root);

  // False for a stranger, which is told so.
  bool on(Env& env, PeerId from, const Enlisted& message);
  // The completed task, with its tree; nothing if no worker held it.
  std::optional<HeldTask> on(Env& env, PeerId from, const Done& message);
  // A task that the worker denies to hold was lost on the way there, or its result on the way back:
  // it is assigned once more to the same worker, which repeats the result if it has one.
  void on(Env& env, PeerId from, const WorkerAlive& message);
  // A worker refuses, or has left.
  Lost on(PeerId from, const Dismiss& message);
  // Dismisses all workers.
  std::vector<Lost> disband(Env& env);
  // Removes a worker that has gone, or has restarted.
  Lost remove(PeerId worker, std::string_view reason);
  // Removes workers that were silent for too long.
  std::vector<Lost> bury(Time now);

 private:
  struct Worker {
    std::uint64_t after = 0;  // messages of stays up to this one are out of date
    std::uint64_t epoch = 0;  // of its stay; 0 until it has answered
    Resources room{0, 0};     // no processors until then
    Time last_heard{};
    std::map<TaskId, HeldTask> held{};
  };
  Worker* heard(Env& env, PeerId from, std::uint64_t epoch);

  const Options& options_;
  std::map<PeerId, Worker> workers_;
};

}  // namespace rhizome::agents::grid
