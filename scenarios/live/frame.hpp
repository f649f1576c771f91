// A frame: the state of a run at one moment, as monitors see it. Counts are absolute, so that a
// lost frame does no harm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/fault.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/recorder.hpp"
#include "core/peer/time.hpp"
#include "core/peer/vitals.hpp"

namespace rhizome::scenarios::live {

// How long a run may go on.
struct RunLength {
  core::Duration open_for{0};  // length of the run; 0: until all tasks are done
  core::Duration limit{0};     // after which it is given up
  friend bool operator==(const RunLength&, const RunLength&) = default;
};

// The identity of a run.
struct RunTitle {
  std::uint32_t number = 0;  // in the order of the experiment's outcomes, from 0
  std::string scenario{};
  std::string scheduler{};  // in the catalogue
  std::string label{};      // of the scheduler, in the scenario
  std::string engine{};     // "threads" or "virtual"
  std::string cell{};       // chosen values of a sweep, in words
  double time_scale = 1;
  std::uint64_t seed = 0;
  std::uint32_t repetition = 0;  // from 0
  std::uint32_t peers = 0;
  RunLength length{};
  std::optional<std::uint64_t> tasks{};  // planned tasks, where the scenario gives their number
  friend bool operator==(const RunTitle&, const RunTitle&) = default;
};

// The columns of a peer's row.
enum class Column : std::uint8_t {
  job,  // messages sent, by class
  result,
  information,
  sent_bytes,
  received,
  received_bytes,
  dropped,
  events,
  facts,
  running,  // pieces of work
  waiting,  // tasks that are at the peer and have not begun
  inbox,    // messages that waited
  late,     // packets, timers and work ends later than the tolerance
  state,    // the life, times 4, and 2 if it has finished, and 1 if it is alive
  above,    // 1 more than the id of its parent or its leader; 0: none
  process,  // the process of the peer, by its place in Cost::processes
  last = process
};
inline constexpr std::size_t columns = static_cast<std::size_t>(Column::last) + 1;
using Row = std::array<std::uint64_t, columns>;

[[nodiscard]] inline std::uint64_t of(const Row& row, Column column) {
  return row[static_cast<std::size_t>(column)];
}
[[nodiscard]] inline bool is_alive(const Row& row) { return (of(row, Column::state) & 1U) != 0; }
[[nodiscard]] inline bool has_finished(const Row& row) {
  return (of(row, Column::state) & 2U) != 0;
}
[[nodiscard]] inline core::Incarnation life_of(const Row& row) {
  return {static_cast<std::uint32_t>(of(row, Column::state) >> 2U)};
}
[[nodiscard]] inline core::PeerId above_of(const Row& row) {
  const std::uint64_t above = of(row, Column::above);
  return above == 0 ? core::no_peer : core::PeerId{static_cast<std::uint32_t>(above - 1)};
}
[[nodiscard]] inline std::uint64_t sent_by(const Row& row) { return row[0] + row[1] + row[2]; }

// The tasks of all peers; a task counts once for every time that it was noted.
struct TaskCounts {
  std::uint64_t submitted = 0;
  std::uint64_t started = 0;
  std::uint64_t executed = 0;
  std::uint64_t completed = 0;
  std::uint64_t reissued = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t jobs_completed = 0;
  std::uint64_t waiting = 0;  // at a peer, now
  friend bool operator==(const TaskCounts&, const TaskCounts&) = default;
};

// How punctual all threads were by one measure.
struct Lateness {
  std::uint64_t seen = 0;
  std::uint64_t late = 0;
  std::uint64_t very_late = 0;
  friend bool operator==(const Lateness&, const Lateness&) = default;
};

// Totals over all peers.
struct Totals {
  std::array<std::uint64_t, core::message_classes> sent{};
  std::array<std::uint64_t, core::message_classes> sent_bytes{};
  std::uint64_t received = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t duplicated = 0;
  core::DropCounts dropped{};
  std::uint64_t events = 0;
  std::uint32_t alive = 0;
  std::uint32_t finished = 0;
  std::uint32_t running = 0;
  TaskCounts tasks{};
  std::array<Lateness, core::Vitals::measures> lateness{};
  friend bool operator==(const Totals&, const Totals&) = default;
};

// The totals at a moment of the past.
struct Moment {
  core::Time at{};
  std::array<std::uint64_t, core::message_classes> sent{};
  std::uint64_t completed = 0;  // tasks
  friend bool operator==(const Moment&, const Moment&) = default;
};

// A fact as it was noted, still encoded.
struct LiveFact {
  core::Time at{};
  core::PeerId peer{};
  std::uint32_t kind = 0;  // its place among the fact kinds of the Welcome message
  core::Bytes payload{};
  friend bool operator==(const LiveFact&, const LiveFact&) = default;
};

// Some of the facts of a run. Facts are numbered from 1 as they were read; those of one peer keep
// their order.
struct FactSlice {
  std::uint64_t next = 1;    // the number to ask for next
  std::uint64_t missed = 0;  // facts that were asked for and are not kept any more
  std::vector<LiveFact> facts{};
  friend bool operator==(const FactSlice&, const FactSlice&) = default;
};

// The faults of a run so far, both planned and by hand.
struct FaultCounts {
  std::array<std::uint64_t, core::fault_kinds> peers{};  // peers with a fault, by core::Fault::Kind
  std::uint64_t partings = 0;                            // cuts of the network that have begun
  friend bool operator==(const FaultCounts&, const FaultCounts&) = default;
};

// One of the processes that share the peers of a run.
struct ProcessSeen {
  std::uint32_t number = 0;
  std::string host{};
  bool lost = false;    // together with its peers
  bool silent = false;  // its peers' values are some seconds old, or not told yet
  friend bool operator==(const ProcessSeen&, const ProcessSeen&) = default;
};

// The process of a peer; nullptr where one process has all peers, or the process is unknown.
[[nodiscard]] inline const ProcessSeen* process_of(const Row& row,
                                                   const std::vector<ProcessSeen>& processes) {
  const std::uint64_t place = of(row, Column::process);
  return place < processes.size() ? &processes[place] : nullptr;
}

// Whether the row is old, because the process of that peer has sent no recent news.
[[nodiscard]] inline bool is_silent(const Row& row, const std::vector<ProcessSeen>& processes) {
  const ProcessSeen* process = process_of(row, processes);
  return process != nullptr && process->silent;
}

// The cost of watching, the faults of the run so far, and the processes that do the run.
struct Cost {
  double share = 0;                      // recent share of a core
  core::Duration interval{0};            // of real time between frames
  bool slowed = false;                   // frames come seldom, to keep that share low
  bool held = false;                     // the run waits until a monitor lets it go on
  bool paced = false;                    // whether monitors may hold the run
  double speed = 0;                      // emulated seconds per real second, at most; 0: no limit
  std::uint32_t by_hand = 0;             // faults that a user of a monitor has caused
  FaultCounts faults{};                  // all faults, also those by hand
  std::vector<ProcessSeen> processes{};  // empty: one process does the run
  friend bool operator==(const Cost&, const Cost&) = default;
};

// The views of overlays that have changed.
struct ViewChanges {
  std::uint64_t since = 0;            // views changed after that frame; 0: all views
  std::vector<std::uint64_t> list{};  // see view_table.hpp
  friend bool operator==(const ViewChanges&, const ViewChanges&) = default;
};

// The parts of a frame that a monitor gets only if it asks for them.
struct Extras {
  std::vector<Moment> past{};
  std::optional<ViewChanges> views{};
  friend bool operator==(const Extras&, const Extras&) = default;
};

struct Frame {
  std::uint64_t number = 0;  // larger than that of any former frame of any run
  // The frame holds the rows that changed after frame `since`; 0: all rows.
  std::uint64_t since = 0;
  RunTitle run{};
  bool over = false;  // the frame shows how the run ended
  core::Time now{};
  core::Duration real{0};  // since the run began, without the time for which it was held
  Totals totals{};
  // For each changed row, ascending by peer: the number of unchanged peers before it, a bit mask of
  // the columns that follow, and the values of these columns. See rows.hpp.
  std::vector<std::uint64_t> rows{};
  FactSlice facts{};
  Extras extras{};
  Cost cost{};
  std::vector<std::uint32_t> under_way{};  // the numbers of all runs that go on
  friend bool operator==(const Frame&, const Frame&) = default;
};

}  // namespace rhizome::scenarios::live
