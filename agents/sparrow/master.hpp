// The scheduling side of a Sparrow peer: the tasks that arrived here, and who is to run them.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/sparrow/worker.hpp"
#include "core/peer/env.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

struct ProbeDue {
  TaskId task;
};
struct AuditDue {};
struct SampleDue {
  std::uint32_t sampling;
};
struct ReportDue {};

// Chooses peers for probes: implemented by the peer, which has the views.
class Compass {
 public:
  virtual ~Compass() = default;
  // Up to `count` distinct next hops from here.
  [[nodiscard]] virtual std::vector<PeerId> directions(Env& env, std::size_t count) = 0;
};

class Master {
 public:
  Master(const Options& options, PeerId source, Worker& worker, Compass& compass,
         overlay::FailureDetector& detector)
      : options_(options),
        source_(source),
        worker_(worker),
        compass_(compass),
        detector_(detector) {}

  // Tasks of one job have arrived.
  void submit(Env& env, const std::vector<Task>& tasks);
  [[nodiscard]] bool knows(TaskId task) const { return tasks_.contains(task); }

  void on(Env& env, PeerId from, const Deposited& message);
  void on(Env& env, PeerId from, const Ready& message);
  void on(Env& env, PeerId from, const Completed& message);
  void on(Env& env, PeerId from, const Load& message);
  void on(Env& env, PeerId from, const Unknown& message);
  void on(Env& env, PeerId from, const Noted& message);
  void on(Env& env, const ProbeDue& due);
  void on(Env& env, const AuditDue& due);
  void on(Env& env, const SampleDue& due);
  void on(Env& env, const ReportDue& due);
  // A task is somebody else's now; kept if it is bound.
  void disown(Env& env, TaskId task);
  // An executor has died: what it had of ours is to be placed again.
  void bury(Env& env, PeerId executor);
  void stop(Env& env);

 private:
  struct Known {
    Task task;
    std::uint32_t wanted = 1;     // placeholders
    std::uint32_t deposited = 0;  // of them, those reported
    PeerId executor = core::nobody;
    core::Time bound_at{};
    core::TimerId probing{};
  };
  using Place = std::pair<PeerId, std::uint64_t>;  // a placeholder: where, and its number
  // A sample of loads for early binding.
  struct Sample {
    std::vector<TaskId> tasks;
    std::size_t asked = 0;
    std::vector<std::pair<double, PeerId>> loads{};
    core::TimerId due{};
  };

  void probe(Env& env, Known& known, std::size_t peers);
  void sample(Env& env, const std::vector<TaskId>& tasks);
  void decide(Env& env, std::uint32_t sampling);
  void place(Env& env, TaskId task, PeerId executor);
  void search(Env& env, const std::vector<TaskId>& tasks);
  void bind(Env& env, Known& known, PeerId executor);
  void unbind(Env& env, Known& known, std::string_view reason);
  [[nodiscard]] std::optional<TaskId> oldest_for(const Ready& ready, const Requisites& room) const;
  [[nodiscard]] bool covered(const Known& known) const;
  void audit_soon(Env& env);
  void forget_placeholder(Place place);
  void watch(const Env& env, PeerId peer);

  const Options& options_;
  PeerId source_;
  Worker& worker_;
  Compass& compass_;
  overlay::FailureDetector& detector_;
  std::map<TaskId, Known> tasks_;  // until the source has noted them
  std::deque<TaskId> waiting_;
  // Outstanding, with what each was deposited for.
  struct Outstanding {
    TaskId task;
    Requisites needs;
    core::Time since{};
  };
  std::map<Place, Outstanding> placeholders_;
  std::map<Place, std::optional<TaskId>> answered_;  // with which task; with none: cancelled
  std::map<std::uint32_t, Sample> samples_;
  std::uint32_t next_sampling_ = 0;
  struct Unreported {
    PeerId executor;
    core::Time since{};
  };
  std::map<TaskId, Unreported> unreported_;  // done, not noted by the source yet
  core::TimerId auditing_{};
  core::TimerId reporting_{};
  bool audits_ = false;
  bool reports_ = false;
};

}  // namespace rhizome::agents::sparrow
