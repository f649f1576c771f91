// An outcome: all that is known about one run of one scheduler, as a value. Reports and comparisons
// read nothing else, so a stored outcome is as good as a fresh one.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/pace.hpp"
#include "agents/task.hpp"
#include "core/engine/fault.hpp"
#include "core/engine/lost_peers.hpp"
#include "core/engine/passage.hpp"
#include "core/history/ending.hpp"
#include "core/history/fidelity.hpp"
#include "core/peer/burden.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/line_usage.hpp"
#include "core/peer/message.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/time.hpp"
#include "scenarios/outcome/facts.hpp"

namespace rhizome::scenarios {

using agents::Patience;
using core::Duration;
using core::Time;

// The identity of a run.
struct Identity {
  std::string scenario;                                   // its name
  std::vector<std::pair<std::string, std::string>> cell;  // chosen values of a sweep
  std::string scheduler;                                  // in the catalogue
  std::string label;                                      // in the scenario
  std::string engine{};                                   // "threads" or "virtual"
  double time_scale = 1;                                  // of threads
  std::uint64_t seed = 0;                                 // of this repetition
  std::uint32_t repetition = 0;                           // from 0
  friend bool operator==(const Identity&, const Identity&) = default;
};

// "peers.count=100 workload.jobs=800"; empty when nothing was swept.
[[nodiscard]] std::string cell_text(const Identity& identity);
// The key of a choice as people read it: "organic-grid.max_children" of a scheduler's option.
[[nodiscard]] std::string_view shown_key(std::string_view path);

// Whether the emulation kept up (design: validity).
struct Validity {
  enum class Level : std::uint8_t { valid, suspect, invalid, last = invalid };
  Level level = Level::valid;
  std::string reason{};   // in words and figures; empty when valid
  std::string remedy{};   // what to change; empty when valid
  Duration worst_lag{0};  // the largest 99th percentile of the lags, emulated
  Duration tolerance{0};
  friend bool operator==(const Validity&, const Validity&) = default;
};

// A broken invariant.
struct Violation {
  std::string invariant;
  core::PeerId peer = core::no_peer;
  Time at{};
  std::string text;  // one sentence and the facts that led there
  friend bool operator==(const Violation&, const Violation&) = default;
};

// How much of an invariant of structure was judged: the total time that peers were in the
// structure, and the part of it in which an error would have been reported. Nothing judged proves
// nothing.
struct Judged {
  std::string invariant;
  Duration judged{0};
  Duration whole{0};

  [[nodiscard]] double share() const {
    return whole > Duration::zero() ? core::seconds(judged) / core::seconds(whole) : 0;
  }
  friend bool operator==(const Judged&, const Judged&) = default;
};

// Such times while they are summed: those of many peers are together longer than any clock tells.
struct PeerTimes {
  double judged = 0;  // nanoseconds
  double whole = 0;
  void add(Duration of_judged, Duration of_whole) {
    judged += static_cast<double>(of_judged.count());
    whole += static_cast<double>(of_whole.count());
  }
  // From 73 years on both are shortened to that, and their share stays.
  [[nodiscard]] Judged of(std::string invariant) const;
};

// Adds to the entry of the same invariant, or as a new entry.
void add_judged(std::vector<Judged>& sum, const Judged& part);

// A time in which the network was parted.
struct NetworkCut {
  Time from{};
  Time until{};
  friend bool operator==(const NetworkCut&, const NetworkCut&) = default;
};

// A cut by hand, which parts some peers from all others.
struct CutByHand {
  Time from{};
  Time until{};
  std::vector<core::PeerId> peers{};
  friend bool operator==(const CutByHand&, const CutByHand&) = default;
};

// The operator's commands during the run: enough to repeat them.
struct Steered {
  std::uint32_t operator_commands = 0;  // 0: no operator intervened
  std::vector<core::Fault> faults{};    // including those planned for later
  std::vector<CutByHand> cuts{};
  std::string again{};  // scenario that repeats the run; empty: none is kept
  friend bool operator==(const Steered&, const Steered&) = default;
};

// One message type of one service.
struct MessageKind {
  std::string service;
  std::string name;
  core::MessageClass message_class{};
  std::uint8_t service_index = 0;
  std::uint8_t type = 0;
  friend bool operator==(const MessageKind&, const MessageKind&) = default;
};

struct PeerOutcome {
  core::PeerId id;
  double speed = 1;
  std::uint32_t slots = 1;
  double share = 1;  // part of a processor in `speed`: alone a peer is faster by 1 / share
  std::uint32_t restarts = 0;  // lives begun after the start, so that a late join counts too
  bool alive = true;
  bool finished = false;
  std::string armed{};  // timers that should have come to rest; empty: none
  Duration busy{0};     // slot time within the makespan, spent on executions that ended
  std::vector<core::BurdenRow> burdens;
  std::array<std::uint64_t, core::drops> drops{};
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t in_flight = 0;
  std::optional<core::LineUsage> line{};  // only if a bandwidth limits the peer
  friend bool operator==(const PeerOutcome&, const PeerOutcome&) = default;
};

struct TaskOutcome {
  agents::TaskId id;
  Duration duration{0};  // on a peer of speed 1
  bool submitted = false;
  bool completed = false;
  Time submitted_at{};
  Time started_at{};  // first execution
  Time completed_at{};
  core::PeerId executor = core::no_peer;  // of the result that came first
  std::uint32_t starts = 0;
  std::uint32_t executions = 0;   // executions that ended
  std::uint32_t completions = 0;  // times its source took a result for the first
  std::uint32_t duplicates = 0;   // results beyond the first
  std::uint32_t reissues = 0;
  friend bool operator==(const TaskOutcome&, const TaskOutcome&) = default;
};

// A task of a graph that must not begin before another of its job is done.
struct NeedOutcome {
  std::uint32_t job = 0;
  std::uint32_t portion = 0;
  std::uint32_t needs = 0;  // the portion of the other
  friend auto operator<=>(const NeedOutcome&, const NeedOutcome&) = default;
};

struct JobOutcome {
  std::uint32_t id = 0;
  Time arrived{};
  Time completed_at{};  // of its last task; the default unless completed
  bool completed = false;
  std::uint32_t portions = 0;  // 0 if the process where it entered was lost
  Duration work{0};            // of all its tasks at speed 1
  Duration longest{0};         // of its tasks at speed 1
  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

// One received message, if the scenario asks for a log of messages.
struct MessageOutcome {
  Time sent{};
  Time received{};
  core::PeerId from;
  core::PeerId to;
  std::uint8_t service = 0;
  std::uint8_t type = 0;
  core::Cause cause{};
  std::uint32_t units = 1;
  std::uint64_t bytes = 0;
  friend bool operator==(const MessageOutcome&, const MessageOutcome&) = default;
};

// All peers in one sampling period.
struct SampleOutcome {
  Time from{};
  std::array<std::uint64_t, core::message_classes> messages{};
  std::uint64_t completed = 0;  // tasks
  friend bool operator==(const SampleOutcome&, const SampleOutcome&) = default;
};

struct HistogramBucket {
  std::int64_t upper = 0;
  std::uint64_t count = 0;
  friend bool operator==(const HistogramBucket&, const HistogramBucket&) = default;
};
struct HistogramOutcome {
  std::string name;  // "packet lag", "inbox depth"
  std::vector<HistogramBucket> buckets;
  friend bool operator==(const HistogramOutcome&, const HistogramOutcome&) = default;
};

struct Outcome {
  Identity identity;
  core::Ending ending = core::Ending::limit;
  Duration open_for{0};         // planned duration of the run; 0: until all was done
  std::string failure;          // why peers gave it up with tasks undone; empty: they did not
  bool at_least_once = false;   // promise of the scheduler
  std::uint32_t most_hops = 0;  // its promise without faults; 0: none
  Duration in_time{0};          // by when it promises the last result without faults; 0: never
  Patience patience{};          // of its peers
  Duration longest_delay{0};    // of the network, one way
  bool queueing = false;  // messages wait for lines or processors, so that no delay bounds them
  Time ended{};
  std::uint64_t events = 0;
  std::size_t working = 0;
  Validity validity;
  std::vector<MessageKind> kinds;
  std::vector<PeerOutcome> peers;
  std::vector<TaskOutcome> tasks;
  std::vector<JobOutcome> jobs;
  std::vector<NeedOutcome> needs;  // ascending; without jobs that came during the run
  std::uint64_t unseen = 0;        // tasks of the workload that no peer was ever handed
  Facts facts;
  std::vector<core::Fault> faults;  // as scheduled, by time, until the end
  std::vector<NetworkCut> cuts;     // as scheduled, by time
  std::vector<core::Stall> stalls;  // of peers' threads, by peer and time; none in virtual time
  std::vector<SampleOutcome> samples;
  std::vector<MessageOutcome> messages;  // by receipt, then by receiver
  std::vector<HistogramOutcome> histograms;
  std::vector<Violation> violations;
  std::vector<Judged> judged;
  // Not stored with the results, which must replay.
  std::chrono::nanoseconds wall{0};       // real time
  std::vector<core::LostPeers> lost{};    // while it went on, with the processes that ran them
  std::vector<core::Passage> passages{};  // from any process to any other, but those that were lost
  std::uint32_t repeated = 0;             // runs put aside for this one, because they were invalid
  Steered steered{};                      // stored: the number of commands and the scenario's file
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// From the first submission to the last completion, of completed tasks only: a run cut short by its
// limit has a makespan too, and a warning. A run without submissions begins at time zero.
struct Makespan {
  Time begin{};
  Time end{};
};
[[nodiscard]] Makespan makespan_of(const Outcome& outcome);

// Whether submissions and results are known: not if the process at which work enters was lost.
[[nodiscard]] bool results_known(const Outcome& outcome);

}  // namespace rhizome::scenarios
