// The sections of a scenario about the world: its peers, their graph, the jobs, the network and the
// faults. A kind of graph, workload, latency, lifetime or downtime is a position in the catalogue
// of its models, the first being the default; options of only one model are in `own`.
#pragma once

#include <any>
#include <cstdint>
#include <string>
#include <vector>

#include "agents/discipline.hpp"
#include "agents/file_options.hpp"
#include "agents/provision/policy.hpp"
#include "core/engine/engine.hpp"
#include "core/peer/rate.hpp"
#include "core/peer/recipe.hpp"
#include "core/peer/time.hpp"
#include "scenarios/text/key_positions.hpp"
#include "scenarios/world/own_options.hpp"

namespace rhizome::scenarios {

using core::Duration;
using core::Time;

// [peers.resources] and [workload.resources]: the amount of a named resource that peers have, or
// tasks need. Both tables have the same names in the same order.
struct ResourceSection {
  std::string name;
  double amount = 0;
  double most = 0;
  double share = 1;
};

// [[peers.group]]: peers of one kind, in the order of their numbers. A value of 0 means the value
// for all peers.
struct PeerGroupSection {
  std::uint32_t count = 1;
  double speed = 0;
  std::uint32_t slots = 0;
  double memory = 0;
  std::uint32_t cores = 0;  // shared by all peers; 0: each has its own processors
  [[nodiscard]] bool shares() const { return cores > 0; }
};

// [peers]: the capacities of peers.
enum class SpeedKind : std::uint8_t { uniform, two_class };
enum class SourceKind : std::uint8_t { any, fastest };
struct PeersSection {
  std::uint32_t count = 100;
  std::uint32_t slots = 1;
  std::uint32_t slots_max = 0;
  SpeedKind speeds = SpeedKind::uniform;
  double fast_share = 0.5;
  double speed_min = 0.5;
  double speed_max = 1.0;
  double memory = 1.0;
  agents::DisciplineId discipline{};
  SourceKind source = SourceKind::any;
  std::vector<ResourceSection> resources{};
  std::vector<PeerGroupSection> groups{};
};

// [graph]: the initial neighbours of each peer.
enum class GraphKind : std::uint8_t {};
struct GraphSection {
  GraphKind kind{};
  std::string file;
  OwnOptions own;
};

// [workload]: the jobs.
enum class WorkloadKind : std::uint8_t {};
enum class ArrivalKind : std::uint8_t { constant, exponential };
enum class PortionKind : std::uint8_t { uniform, exponential, pareto };
enum class PortionDraw : std::uint8_t { task, job };
struct WorkloadSection {
  WorkloadKind kind{};
  std::uint32_t jobs = 200;
  std::uint32_t portions = 18;
  Duration portion_time = std::chrono::milliseconds(100);
  PortionKind portion_distribution = PortionKind::uniform;
  PortionDraw portion_draw = PortionDraw::task;
  double jitter = 0;
  double portion_shape = 1.5;   // of pareto
  double portion_range = 1000;  // of pareto: the longest over the shortest
  ArrivalKind arrivals = ArrivalKind::constant;
  Duration spacing{0};
  Duration start{0};
  std::uint32_t cpus = 1;
  std::uint32_t cpus_max = 0;
  double memory = 0;
  double memory_max = 0;
  std::uint64_t payload = 0;
  std::uint64_t result_payload = 0;
  core::WorkKindId work{};
  std::vector<std::any> work_options{};  // by kind; where there are none, its defaults
  std::vector<ResourceSection> resources{};
  std::string file{};
  std::string record{};  // where jobs that come through a pipe are kept; "": nowhere
  std::uint32_t max_jobs = 0;
  Duration from{0};
  Duration until{0};
  double time_compression = 1;
  double duration_scale = 1;
  double estimate_error = 0;
  OwnOptions own{};
};

// [files] and [[files.input]]: inputs and outputs of tasks.
enum class FilePer : std::uint8_t { run, job, task };
struct FileInputSection {
  std::string name{};
  std::uint64_t size = std::uint64_t{1} << 20U;
  FilePer per = FilePer::run;
  double share = 1;
};
struct FilesSection {
  std::uint32_t chunk = agents::files::default_chunk;
  std::uint64_t cache = 0;
  std::uint64_t output = 0;
  std::vector<FileInputSection> inputs{};

  [[nodiscard]] bool used() const { return output > 0 || !inputs.empty(); }
};

// [network]: what happens to packets.
enum class LatencyKind : std::uint8_t {};
struct PartitionSection {
  Duration from{0};
  Duration until{0};
  double share = 0.5;
  std::string peers{};
};
struct NetworkSection {
  LatencyKind latency{};
  Duration delay = std::chrono::milliseconds(1);
  Duration delay_min{0};
  Duration delay_max = std::chrono::milliseconds(2);
  double sigma = 0.52;
  double sigma_host = 0.36;
  std::string file;
  Duration jitter{0};
  double loss = 0;
  double duplication = 0;
  core::Rate bandwidth_up{};
  core::Rate bandwidth_up_max{};
  core::Rate bandwidth_down{};
  core::Rate bandwidth_down_max{};
  bool bandwidth_by_speed = false;
  std::vector<PartitionSection> partitions;
  OwnOptions own;
};

// [faults]: when peers are away.
struct FaultEventSection {
  Duration at{0};
  std::uint32_t peer = 0;
  core::Fault::Kind kind = core::Fault::Kind::crash;
  Duration restart_after{0};
};
struct MassFailureSection {
  Duration at{0};
  double share = 0.5;
  Duration restart_after{0};
};
struct MachineFailureSection {
  Duration at{0};
  std::uint32_t machine = 0;
};
enum class LifetimeKind : std::uint8_t {};
enum class LifetimeEnd : std::uint8_t { crash, leave };
enum class DowntimeKind : std::uint8_t {};
struct LifetimesSection {
  LifetimeKind distribution{};
  Duration mean = std::chrono::seconds(60);
  double shape = 0;
  std::string file{};
  double share = 1;
  Duration until{0};
  LifetimeEnd ends_by = LifetimeEnd::crash;
  DowntimeKind downtime{};
  Duration downtime_mean = std::chrono::seconds(10);
  double downtime_shape = 0;
};
struct FaultsSection {
  double crash_share = 0;
  Duration crash_from{0};
  Duration crash_until = std::chrono::seconds(5);
  Duration restart_after{0};
  bool expected = false;
  std::vector<FaultEventSection> events;
  std::vector<MassFailureSection> masses;
  std::vector<MachineFailureSection> machines;
  LifetimesSection lifetimes;
};

// [provision]: which peers are there, by need.
struct ProvisionSection {
  agents::provision::PolicyId policy{};
  std::uint32_t min_nodes = 1;
  std::uint32_t max_nodes = 0;
  std::uint32_t start_nodes = 0;
  Duration interval = std::chrono::seconds(30);
  Duration startup = std::chrono::seconds(30);
  Duration probation{0};
  std::uint32_t step = 1;
  Duration time_unit = std::chrono::minutes(1);
  double margin = 1;
  double target = 2;
  std::uint32_t cluster = 0;
  std::string others{};
  double time_compression = 1;
  std::uint32_t other_jobs = 0;
  std::uint32_t other_nodes = 1;
  Duration other_time = std::chrono::minutes(10);
  Duration other_spacing = std::chrono::minutes(10);

  [[nodiscard]] bool used() const { return policy != agents::provision::PolicyId{}; }
};

struct WorldSections {
  std::string file;  // where they were read from, for messages
  KeyPositions positions{};
  PeersSection peers;
  GraphSection graph;
  WorkloadSection workload;
  FilesSection files;
  NetworkSection network;
  FaultsSection faults;
  ProvisionSection provision;
  bool handling_costs = false;  // events cost time, so tasks take longer than set
  bool real_time = false;       // the engine takes the time that work really takes

  // Where a key was written, such as "faults.crash_share".
  [[nodiscard]] Position position(const std::string& path) const {
    return positions.of(path, file);
  }
};

}  // namespace rhizome::scenarios
