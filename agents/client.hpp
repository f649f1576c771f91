// Clients are the sources of work. A client hands jobs in at peers, hears what became of them, and
// says when no more will come. It stands outside of the run: its jobs come as inputs, so that no
// scheduler can know a job that has not been submitted. This is the client's side within a peer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "agents/facts.hpp"
#include "agents/job_graph.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/flat.hpp"
#include "core/peer/input.hpp"
#include "core/peer/state_dump.hpp"

namespace rhizome::agents {

// The peers of a job or a task: `at` is the peer at which it enters. The keeper, mostly the same
// peer, keeps the books: it is told of results, and answers for lost tasks.
struct Entry {
  core::PeerId at;
  core::PeerId keeper;
  core::Time from{};  // the plan's time from which a task may run
};
struct Entries {
  std::function<Entry(TaskId)> of;
  std::vector<core::PeerId> keepers;
  bool by_task = false;  // otherwise all tasks of a job enter where its first one does

  [[nodiscard]] bool kept_by(core::PeerId peer) const {
    return std::find(keepers.begin(), keepers.end(), peer) != keepers.end();
  }
};
// All work at one peer.
[[nodiscard]] inline Entries enter_at(core::PeerId peer) {
  return {.of = [peer](TaskId) { return Entry{peer, peer}; }, .keepers = {peer}};
}

// Inputs.

// A job, or the part of it that enters here; its dependencies say which tasks must be done before.
struct JobArrives {
  static constexpr core::InputInfo info{"job-arrives", "A client hands in a job."};
  Job job;
  bool whole = true;  // no part of it enters elsewhere
  core::PeerId keeper;
};
// A job is handed in at another peer, for which this one keeps the books.
struct JobAnnounced {
  static constexpr core::InputInfo info{"job-announced",
                                        "A client tells who has been given a job."};
  Job job;
  core::PeerId at;
};
struct NoMoreJobs {
  static constexpr core::InputInfo info{"no-more-jobs", "Clients have handed in all their jobs."};
};

// Signals to the scheduler of the same peer.

// Tasks of one job that may run now; or a whole graph, for a scheduler that itself holds back each
// task until the tasks that it needs are done.
struct Submitted {
  std::uint32_t job;
  std::vector<Task> tasks;
  std::vector<Dependency> dependencies{};
};
// Tasks of a job at another peer, `at`, that may run now. This peer keeps their books; `at`
// releases the tasks itself as long as it lives.
struct Announced {
  core::PeerId at;
  std::uint32_t job;
  std::vector<Task> tasks;
};
// No more jobs will come, and all jobs in the books of this peer are done: the run may begin to
// end.
struct Drained {};

// Signals from the scheduler.

// A result of a task is here; the same result may come several times.
struct Finished {
  TaskId task;
  core::PeerId executor;
};
// A task that was handed in here is done: tasks that need it may run. Raised once, wherever the
// books of the task are kept.
struct Settled {
  TaskId task;
};
// The rest of a job that was handed in here now belongs to another peer, which releases it.
struct Disowned {
  std::uint32_t job;
};
// This peer now has tasks that were handed in elsewhere, and may have been lost before any peer
// wrote them down.
struct Inherited {
  std::vector<Task> tasks;
};

// Which side holds a task of a graph back until the tasks that it needs are done.
enum class Releases : std::uint8_t { client, scheduler, last = scheduler };

// Writes down jobs that come and tasks that are done, each once. Releases a task of a graph when
// the tasks that it needs are done, unless the scheduler does so.
class Client {
 public:
  // A peer in a later life has lost the jobs of its first life, and jobs that still come are not
  // its own.
  explicit Client(core::Incarnation first_life = {}, Releases releases = Releases::client)
      : first_life_(first_life), releases_(releases) {}

  using Messages = core::Nothing;
  using Facts = core::OneOf<JobSubmitted, TaskSubmitted, TaskCompleted, TaskDuplicate, JobCompleted,
                            GraphSubmitted, TasksAdded>;
  using Env = core::Env<Messages, core::Nothing, Facts>;
  using Inputs = core::OneOf<JobArrives, JobAnnounced, NoMoreJobs>;
  using Hears = core::OneOf<Finished, Settled, Disowned, Inherited>;
  static constexpr std::string_view name = "client";

  void start(Env& env) {
    if (env.incarnation() != first_life_) env.raise(Drained{});
  }
  void on(Env& env, const JobArrives& arrival);
  void on(Env& env, const JobAnnounced& announcement);
  void on(Env& env, const NoMoreJobs&);
  void on(Env& env, const Finished& finished);
  void on(Env& env, const Settled& settled);
  void on(Env& env, const Disowned& disowned);
  void on(Env& env, const Inherited& inherited);

  void dump_state(core::StateDump& dump) const {
    dump.tell("open", open_);
    dump.tell("guests", guests_);
    dump.tell("completed", completed_);
    dump.tell("no_more", no_more_);
  }

 private:
  // A job until it is done.
  struct Open {
    core::FlatMap<std::uint32_t, bool> done{};  // by portion
    std::size_t left = 0;
    bool whole = true;
    JobGraph waiting{};
    core::PeerId at = core::no_peer;  // where it was handed in, if not here
  };
  // Returns nullptr for a job without tasks.
  Open* open(Env& env, const Job& job, bool whole);
  static void submit(Env& env, const std::vector<Task>& tasks);
  static void release(Env& env, std::uint32_t job, const std::vector<Task>& tasks);
  // For a job whose books are kept here: releases tasks to the peer at which it was handed in.
  static void release(Env& env, std::uint32_t job, const Open& open,
                      const std::vector<Task>& tasks);
  void welcome(Env& env, const Job& job);
  static std::vector<Task> begin(Env& env, const Job& job, Open& opened);
  void check_drained(Env& env);

  core::Incarnation first_life_;
  Releases releases_;
  std::map<std::uint32_t, Open> open_;
  std::map<std::uint32_t, JobGraph> guests_;          // jobs whose books are kept elsewhere
  std::map<std::uint32_t, std::uint32_t> completed_;  // jobs, and their last portions
  bool no_more_ = false;
};

}  // namespace rhizome::agents
