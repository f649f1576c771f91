// A frame: what a monitor is shown of a run at one moment. Counts are absolute, so that a frame
// that nobody got is not missed.
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
  core::Duration open_for{0};  // that it takes; 0: until all is done
  core::Duration limit{0};     // after which it is given up
  friend bool operator==(const RunLength&, const RunLength&) = default;
};

// Which run it is.
struct RunTitle {
  std::uint32_t number = 0;  // in the order of the experiment's outcomes, from 0
  std::string scenario{};
  std::string scheduler{};  // in the catalogue
  std::string label{};      // of the scheduler, in the scenario
  std::string engine{};     // "threads" or "virtual"
  std::string cell{};       // what a sweep chose, in words
  double time_scale = 1;
  std::uint64_t seed = 0;
  std::uint32_t repetition = 0;  // from 0
  std::uint32_t peers = 0;
  RunLength length{};
  std::optional<std::uint64_t> tasks{};  // that are planned, where the scenario says so
  friend bool operator==(const RunTitle&, const RunTitle&) = default;
};

// What is shown of one peer, by column.
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
  waiting,  // tasks that are here and have not been begun
  inbox,    // messages that waited
  late,     // packets, timers and work ends later than the tolerance
  state,    // the life, times 4, and 2 if it has finished, and 1 if it is alive
  above,    // 1 more than its parent or its leader; 0: nobody
  process,  // that runs it, by its place in Cost::processes
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
  return above == 0 ? core::nobody : core::PeerId{static_cast<std::uint32_t>(above - 1)};
}
[[nodiscard]] inline std::uint64_t sent_by(const Row& row) { return row[0] + row[1] + row[2]; }

// The tasks of all peers, each once for every time that it was noted.
struct TaskCounts {
  std::uint64_t submitted = 0;
  std::uint64_t started = 0;
  std::uint64_t executed = 0;
  std::uint64_t completed = 0;
  std::uint64_t reissued = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t jobs_completed = 0;
  std::uint64_t waiting = 0;  // at some peer, now
  friend bool operator==(const TaskCounts&, const TaskCounts&) = default;
};

// How punctual all threads were in one respect.
struct Lateness {
  std::uint64_t seen = 0;
  std::uint64_t late = 0;
  std::uint64_t very_late = 0;
  friend bool operator==(const Lateness&, const Lateness&) = default;
};

// Of all peers together.
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

// The totals of a moment that has passed.
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
  std::uint32_t kind = 0;  // its place among those that the welcome names
  core::Bytes payload{};
  friend bool operator==(const LiveFact&, const LiveFact&) = default;
};

// Some of the facts of a run, which are numbered from 1 as they were read, those of one peer in
// their order.
struct FactSlice {
  std::uint64_t next = 1;    // the number to ask for next
  std::uint64_t missed = 0;  // were asked for and are not kept any more
  std::vector<LiveFact> facts{};
  friend bool operator==(const FactSlice&, const FactSlice&) = default;
};

// What has befallen a run so far, as planned and by hand.
struct FaultCounts {
  std::array<std::uint64_t, core::fault_kinds> peers{};  // struck, by core::Fault::Kind
  std::uint64_t partings = 0;                            // of the network, that have begun
  friend bool operator==(const FaultCounts&, const FaultCounts&) = default;
};

// One of the processes that share the peers of a run.
struct ProcessSeen {
  std::uint32_t number = 0;
  std::string host{};
  bool lost = false;    // and its peers with it
  bool silent = false;  // what is shown of its peers is some seconds old
  friend bool operator==(const ProcessSeen&, const ProcessSeen&) = default;
};

// Nobody where one process does all of it, or that is not known.
[[nodiscard]] inline const ProcessSeen* process_of(const Row& row,
                                                   const std::vector<ProcessSeen>& processes) {
  const std::uint64_t place = of(row, Column::process);
  return place < processes.size() ? &processes[place] : nullptr;
}

// Whether what the row says is old, since the process of that peer has not told of it lately.
[[nodiscard]] inline bool is_silent(const Row& row, const std::vector<ProcessSeen>& processes) {
  const ProcessSeen* process = process_of(row, processes);
  return process != nullptr && process->silent;
}

// What watching costs the run, what has been done to it, and who does it.
struct Cost {
  double share = 0;                      // of a core, lately
  core::Duration interval{0};            // of real time between frames
  bool slowed = false;                   // frames come seldom, to keep that share low
  bool held = false;                     // the run, until somebody lets it go on
  bool paced = false;                    // whether monitors may hold it
  double speed = 0;                      // emulated seconds a real one, at most; 0: no limit
  std::uint32_t by_hand = 0;             // faults that somebody who watches has caused
  FaultCounts faults{};                  // those and others
  std::vector<ProcessSeen> processes{};  // empty: one does all of it
  friend bool operator==(const Cost&, const Cost&) = default;
};

// The views of overlays that have changed.
struct ViewChanges {
  std::uint64_t since = 0;            // after that frame; 0: all views
  std::vector<std::uint64_t> list{};  // see view_table.hpp
  friend bool operator==(const ViewChanges&, const ViewChanges&) = default;
};

// What a frame holds only where it was asked for.
struct Extras {
  std::vector<Moment> past{};
  std::optional<ViewChanges> views{};
  friend bool operator==(const Extras&, const Extras&) = default;
};

struct Frame {
  std::uint64_t number = 0;  // larger than that of any former frame of any run
  std::uint64_t since = 0;   // holds the rows that have changed after that frame; 0: all rows
  RunTitle run{};
  bool over = false;  // this is how it ended
  core::Time now{};
  core::Duration real{0};  // since it began
  Totals totals{};
  // Of each row that has changed, ascending by peer: how many peers are left out before it, a bit
  // for each column that follows, and those. See rows.hpp.
  std::vector<std::uint64_t> rows{};
  FactSlice facts{};
  Extras extras{};
  Cost cost{};
  std::vector<std::uint32_t> under_way{};  // the numbers of all runs that go on
  friend bool operator==(const Frame&, const Frame&) = default;
};

}  // namespace rhizome::scenarios::live
