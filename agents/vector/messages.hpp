// The messages between peers under vector scheduling (Peterson, dissertation, sections 4.1, 4.2 and
// 5.6). Messages of cause recovery are our design.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/farewell.hpp"
#include "agents/task.hpp"
#include "agents/vector/metrics.hpp"
#include "core/peer/env.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::vectors {

// The number of a message among those of its kind, through all lives of its sender. Numbers begin
// at 1; 0: none.
struct Mark {
  std::uint32_t life = 0;
  std::uint64_t number = 0;
  friend auto operator<=>(const Mark&, const Mark&) = default;
};
// The state of the sender. It answers the receiver's last Info, so that the receiver learns how far
// away the sender is, and tells which transfers of the receiver have entered the sender's queue.
struct Info {
  static constexpr core::MessageInfo info{"info", MessageClass::information, Cause::maintenance};
  PeerMetrics vitals{};
  Mark mark{};             // among the Infos to this receiver
  Mark echo{};             // the receiver's latest Info that arrived
  core::Duration held{0};  // since that Info came
  Mark taken{};            // the receiver's latest transfer that arrived
};
// The origin has no work. A peer that receives this redistributes its tasks, and passes it on.
struct Request {
  static constexpr core::MessageInfo info{"request", MessageClass::information, Cause::request};
  PeerId origin;
  std::uint64_t number;    // among the origin's requests, through all its lives
  std::uint32_t hops = 1;  // hops left to the request
};
// Tasks for the receiver's queue. Repeated until the receiver has taken them.
struct Transfer {
  static constexpr core::MessageInfo info{"transfer", MessageClass::job, Cause::work};
  std::uint32_t life = 0;    // of the sender
  std::uint64_t number = 0;  // of its transfers in that life, from 1
  std::uint64_t oldest = 0;  // of the transfers that the sender may repeat
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
struct Taken {
  static constexpr core::MessageInfo info{"taken", MessageClass::information, Cause::recovery};
  std::uint64_t number = 0;
};
// To the source: this task is done.
struct Result {
  static constexpr core::MessageInfo info{"result", MessageClass::result, Cause::completion};
  Product task;
};
// To the source: these tasks are here, or have been since the last report, and these were done here
// and have not been noted yet.
struct Report {
  static constexpr core::MessageInfo info{"report", MessageClass::information, Cause::recovery};
  std::vector<TaskId> held;
  std::vector<TaskId> done;
};
// From the source to a peer that has reported: these results are noted, and these tasks need no
// work.
struct Heard {
  static constexpr core::MessageInfo info{"heard", MessageClass::information, Cause::recovery};
  std::vector<TaskId> noted;
  std::vector<TaskId> needless;
};
// For tasks that need others: how many wait at a level.
struct LevelCount {
  std::uint32_t level = 0;
  std::uint32_t tasks = 0;
  friend bool operator==(const LevelCount&, const LevelCount&) = default;
};
// The state of the sender, and how many tasks it has of each level, if locators move tasks of
// graphs.
struct LevelInfo {
  static constexpr core::MessageInfo info{"level-info", MessageClass::information,
                                          Cause::maintenance};
  Info vitals;
  std::vector<LevelCount> levels;
};
// The data of `giver`, for which `task` has waited for long.
struct Need {
  TaskId task;
  TaskId giver;
};
// To the source: these data are missing here.
struct Needs {
  static constexpr core::MessageInfo info{"needs", MessageClass::information, Cause::recovery};
  std::vector<Need> needs;
};
using Messages =
    core::OneOf<Info, Request, Transfer, Taken, Result, Report, Heard, Over, LevelInfo, Needs>;

struct TickDue {};
struct BenchmarkDue {};
struct RepeatDue {
  std::uint64_t number = 0;
};
struct ReportDue {};
struct LeaseDue {};
// The end of the run, for a peer that still waits for answers about tasks of graphs.
struct CloseDue {};
using Timers =
    core::OneOf<TickDue, BenchmarkDue, RepeatDue, ReportDue, LeaseDue, CloseDue, DivideDue>;

using Facts = core::OneOf<TaskStarted, TaskExecuted, TaskComputed, TaskReissued, TaskHanded,
                          RunFailed, ServiceLost>;

using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::vectors
