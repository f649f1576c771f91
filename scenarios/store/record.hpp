// The record of a run, run.json: values that depend on the machine and the hour, and therefore stay
// out of the results store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/burden.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "scenarios/text/fingerprint.hpp"
#include "scenarios/text/run_share.hpp"

namespace rhizome::scenarios {

// The machine that a run took place on.
struct MachineRecord {
  unsigned cores = 0;
  std::uint64_t memory_bytes = 0;
  std::string kernel;     // "Linux 6.1.0 x86_64"
  std::string processor;  // as the system names it; may be empty
};

[[nodiscard]] MachineRecord this_host();

// Names and versions of rhizome, the compiler and SQLite; and the fingerprint of the program.
using Versions = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Versions versions();
// The fingerprint of this program's file, which tells it from every other build.
[[nodiscard]] const std::string& this_program();

// The real time of one run, in the order of the results store, whether it failed, and how many
// were put aside for it.
struct WallTime {
  std::string label;
  std::string cell;
  std::uint32_t repetition = 0;
  double seconds = 0;
  std::string failure{};       // of the outcome
  std::uint32_t repeated = 0;  // of the outcome
  std::uint32_t steered = 0;   // operator commands given during the run
  std::string steered_as{};    // the scenario of that in the directory; empty: there is none
};

// The cost of monitors for the runs, all together.
struct Watched {
  std::uint32_t monitors = 0;  // monitors that attached
  std::uint64_t frames = 0;    // frames sent to them
  double processor_seconds = 0;
};

// The options with which the scenario of a directory was read, so that missing runs can be done:
// those of other shares, which are merged with it, and those that an interrupt left out.
struct OrderRecord {
  std::optional<RunShare> share{};         // of the runs, that the directory holds; none: all
  std::string command{};                   // runs all of `scenario.toml`, except for what follows
  std::string environment{};               // overrides, as RHIZOME_SET has them
  std::vector<std::string> assignments{};  // as --set
  std::vector<std::string> schedulers{};   // as --scheduler
  // Options for the presentation of results, as words of a command line: "--by=energy". Runs that
  // are added later are presented likewise.
  std::vector<std::string> options{};
  friend bool operator==(const OrderRecord&, const OrderRecord&) = default;
};

// Whether it is a command that `rhizome run` writes: an order may come from a stranger, and its
// user runs what it says in a shell.
[[nodiscard]] bool is_run_again(std::string_view command);

// For a merged directory: where one share of it was run.
struct PartRecord {
  RunShare share;
  std::string directory;  // its name
  std::string started;
  std::string ended;
  MachineRecord host;
  std::vector<std::string> remarks{};
};

// One of several processes that did the runs together; on threads its state after the last run.
struct ProcessRecord {
  std::string host;
  std::uint32_t cores = 0;       // cores the process might use
  std::uint32_t host_cores = 0;  // cores of its machine
  std::uint32_t peers = 0;
  double clock_offset = 0;  // of its clock to process 0's, in seconds
  double clock_bound = 0;   // largest error of this offset
  double round_trip = 0;    // to process 0 and back, the shortest that was seen, in seconds
  std::uint32_t runs = 0;   // runs it did, alone or with others
  // Messages of its peers to peers of other processes, by class.
  core::BurdensByClass crossed{};
  std::string lost{};  // why; empty: it was not
};

// The launcher of these processes, and the kind of their rendezvous.
struct LaunchRecord {
  std::string launcher;  // "rhizome", "ssh", "srun", "mpirun", "Kubernetes" or "somebody"
  std::string met_by;    // "pipes", "pmix" or "directory"
};

struct RunRecord {
  std::string name;
  std::string started;  // UTC, ISO 8601
  std::string ended{};  // of the last run so far
  // "holds", "fails", "failed: WHO: WHY", "inconclusive", "interrupted"; empty while it runs.
  std::string verdict{};
  MachineRecord host;
  Versions versions{};
  std::vector<WallTime> walls{};
  std::vector<std::string> remarks{};
  std::vector<FileRead> files{};           // that the scenario names, as the kept one has them
  std::vector<FileRead> programs{};        // that commands name
  std::optional<Watched> watched{};        // none: nobody could attach
  std::optional<OrderRecord> order{};      // none: of an earlier version
  std::vector<PartRecord> parts{};         // that it was put together from
  std::vector<ProcessRecord> processes{};  // none: one did all
  std::optional<LaunchRecord> launch{};    // of these
};

// "schema": "rhizome.run/2".
[[nodiscard]] std::string json_of(const RunRecord& record);
// Nothing for text that is no record.
[[nodiscard]] std::optional<RunRecord> record_of(const std::string& json);

}  // namespace rhizome::scenarios
