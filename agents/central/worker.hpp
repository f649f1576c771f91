// A worker: executes batches, and returns the executed tasks of those that are preempted.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "agents/central/messages.hpp"
#include "agents/server.hpp"

namespace rhizome::agents::central {

class Worker {
 public:
  using Messages = core::OneOf<Assign, Preempt, Noted>;

  Worker(const Capacity& capacity, bool repeats) : server_(capacity), repeats_(repeats) {}

  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const Preempt& message);
  void on(Env& env, PeerId from, const Noted& message);
  void on(Env& env, const core::WorkDone& done);
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  // Stops and forgets all batches: another head has them executed again.
  void stop(Env& env);
  // Sends all unacknowledged results again.
  void repeat(Env& env, PeerId head) const;
  [[nodiscard]] std::size_t waiting() const { return server_.waiting(); }
  [[nodiscard]] bool busy() const { return !held_.empty() || !unnoted_.empty(); }

 private:
  struct HeldBatch {
    Epoch epoch = 0;
    PeerId from;
    Time begun{};
    std::vector<Task> tasks{};
    std::vector<Product> executed{};
    bool loading = false;
    core::WorkId load{};
  };
  void execute(Env& env, HeldBatch& held);
  // False if the worker has a later batch with one of the same tasks.
  bool replace(Env& env, const Assign& message);
  void stop(Env& env, std::uint64_t batch, const HeldBatch& held);
  void end(Env& env, std::uint64_t batch, HeldBatch held);
  void remember(std::uint64_t batch);

  Server server_;
  bool repeats_;
  std::map<std::uint64_t, HeldBatch> held_;
  std::map<core::WorkId, std::uint64_t> loading_;  // batches whose model is being loaded
  std::map<TaskId, std::uint64_t> batch_of_;
  std::map<std::uint64_t, Done> unnoted_;
  std::deque<std::uint64_t> ended_;  // the latest batches, whose assignments may arrive again
};

}  // namespace rhizome::agents::central
